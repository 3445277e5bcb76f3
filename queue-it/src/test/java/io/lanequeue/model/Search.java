package io.lanequeue.model;

import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Plays random sequences, one for each seed, until one fails; that one is shrunk. */
public final class Search<M extends Model<M>> {

    private static final int ACTORS = 4;
    private static final int STEPS = 60;
    private static final int SEQUENCES_PER_LINE = 1_000;

    private final Queue<M> queue;
    private final List<Session> sessions;
    private final Session observer;

    public Search(QueueDatabase db, Queue<M> queue) {
        this.queue = queue;
        this.sessions = Stream.generate(db::open).limit(ACTORS).toList();
        sessions.forEach(session -> {
            // Actors often wait for each other in a circle; the server need not take a second to see it.
            session.dsl().execute("set deadlock_timeout = '10ms'");
            // Others wait as long as a sequence lasts, on a busy machine too.
            session.dsl().execute("set lock_timeout = '5min'");
        });
        this.observer = db.open();
    }

    /**
     * A failing sequence, made short.
     *
     * @param seed of the sequence it was found in
     * @param steps what is left of it
     * @param failure what went wrong in it
     */
    public record Finding<M>(long seed, List<Step<M>> steps, Failure failure) {}

    /** Plays the sequences of this seed and of the following ones. */
    public Optional<Finding<M>> run(long firstSeed, int sequences) {
        for (long seed = firstSeed; seed < firstSeed + sequences; seed++) {
            List<Step<M>> steps = sequence(new Random(seed));
            Optional<Failure> failure = play(steps);
            if (failure.isPresent()) {
                return Optional.of(shrunk(seed, steps, failure.get()));
            }
            long played = seed - firstSeed + 1;
            if (played % SEQUENCES_PER_LINE == 0) {
                System.out.println(played + " of " + sequences + " sequences");
            }
        }
        return Optional.empty();
    }

    private Finding<M> shrunk(long seed, List<Step<M>> steps, Failure failure) {
        List<Failure> failures = new ArrayList<>(List.of(failure));
        List<Step<M>> shortest = Shrinker.shrink(steps.subList(0, failure.steps()), candidate -> {
            Optional<Failure> again = play(candidate);
            again.ifPresent(failures::add);
            return again.isPresent();
        });
        return new Finding<>(seed, shortest, failures.get(failures.size() - 1));
    }

    /** Plays this one sequence. */
    public Optional<Failure> play(List<Step<M>> steps) {
        return new Playback<>(queue, sessions, observer).play(steps);
    }

    private List<Step<M>> sequence(RandomGenerator random) {
        return Stream.generate(() -> step(random)).limit(STEPS).toList();
    }

    private Step<M> step(RandomGenerator random) {
        int actor = random.nextInt(ACTORS);
        return switch (random.nextInt(20)) {
            case 0, 1 -> new Step.Begin<>(actor, Isolation.values()[random.nextInt(Isolation.values().length)]);
            case 2, 3, 4 -> new Step.Control<>(actor, Step.Verb.COMMIT);
            case 5 -> new Step.Control<>(actor, Step.Verb.values()[random.nextInt(Step.Verb.values().length)]);
            default -> new Step.Act<>(actor, queue.operation(random));
        };
    }
}
