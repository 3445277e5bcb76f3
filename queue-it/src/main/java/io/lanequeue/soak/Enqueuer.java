package io.lanequeue.soak;

import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.Enqueued;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.schema.EffectId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Enqueues what is due, much of it for one repository, and tells the ledger what committed. */
final class Enqueuer {

    private static final int ONE_BIG_OF = 5;
    private static final int KINDS = 20;
    private static final int KEYS = 3;
    private static final int MAX_DELAY_MILLIS = 300;

    private final EffectProducer producer = new EffectProducer();
    private final Witness witness;
    private final Schedule schedule;
    private final Books books;
    private final ProducerHabits habits;
    private final Random random;

    Enqueuer(Witness witness, Schedule schedule, Books books, ProducerHabits habits, Random random) {
        this.witness = witness;
        this.schedule = schedule;
        this.books = books;
        this.habits = habits;
        this.random = random;
    }

    /** Works until the schedule ends. */
    Void work() throws InterruptedException {
        for (int due = schedule.take(habits.most()); due > 0; due = schedule.take(habits.most())) {
            enqueue(due);
        }
        return null;
    }

    private void enqueue(int due) throws InterruptedException {
        Optional<List<Enqueued>> committed = tryToEnqueue(due);
        while (committed.isEmpty()) {
            committed = tryToEnqueue(due);
        }
        List<EffectId> added = committed.get().stream()
                .filter(effect -> effect.status() == Enqueued.Status.ADDED)
                .map(Enqueued::id)
                .toList();
        books.effects().committed(added);
        books.happenings().add(Happening.STOOD_FOR, due - added.size());
    }

    private Optional<List<Enqueued>> tryToEnqueue(int due) throws InterruptedException {
        List<NewEffect> effects = effects(due);
        return witness.commit(habits.isolation(), transaction -> {
            List<Enqueued> enqueued = producer.enqueueAll(transaction, effects);
            habits.beforeCommit();
            return enqueued;
        });
    }

    private List<NewEffect> effects(int due) {
        List<NewEffect> effects = new ArrayList<>();
        for (int i = 0; i < due; i++) {
            NewEffect effect = NewEffect.of(repository(), "{}");
            effects.add(
                    switch (random.nextInt(KINDS)) {
                        case 0, 1 -> effect.withDedupeKey("key " + random.nextInt(KEYS));
                        case 2 -> effect.withDelay(Duration.ofMillis(random.nextInt(MAX_DELAY_MILLIS)));
                        default -> effect;
                    });
        }
        return effects;
    }

    private String repository() {
        int small = Plan.REPOSITORIES - 1;
        return random.nextInt(ONE_BIG_OF) == 0 ? "monorepo" : "repo " + random.nextInt(small);
    }
}
