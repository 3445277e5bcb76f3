package io.lanequeue.interleavings;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** What was seen of every two operations of a queue, in each setting. */
final class Matrix<S extends Subject<L>, L extends Ledger> {

    /** As many as the smallest machine of the gate has processors. */
    private static final int STAGES = 2;

    private final List<? extends Operation<S, L>> operations;
    private final List<Setting> settings;
    private final Map<Case<S, L>, Outcome> outcomes = new ConcurrentHashMap<>();
    private final List<String> violations = Collections.synchronizedList(new ArrayList<>());

    private record Case<S extends Subject<L>, L extends Ledger>(Interleaving<S, L> interleaving, Setting setting) {}

    private Matrix(List<? extends Operation<S, L>> operations, List<Setting> settings) {
        this.operations = operations;
        this.settings = settings;
    }

    /** Plays them all. */
    static <S extends Subject<L>, L extends Ledger> Matrix<S, L> of(
            List<? extends Operation<S, L>> operations, List<Setting> settings)
            throws ExecutionException, InterruptedException {
        Matrix<S, L> matrix = new Matrix<>(operations, settings);
        Queue<Operation<S, L>> firsts = new ConcurrentLinkedQueue<>(operations);
        ExecutorService threads = Executors.newFixedThreadPool(STAGES);
        try {
            List<? extends Future<?>> playing = Stream.generate(() -> threads.submit(() -> matrix.playRows(firsts)))
                    .limit(STAGES)
                    .toList();
            for (Future<?> stage : playing) {
                stage.get();
            }
        } finally {
            threads.shutdownNow();
        }
        return matrix;
    }

    private void playRows(Queue<Operation<S, L>> firsts) {
        try (Stage stage = new Stage()) {
            for (var first = firsts.poll(); first != null; first = firsts.poll()) {
                for (Operation<S, L> second : operations) {
                    playAll(stage, new Interleaving<>(first, second));
                }
                stage.clear();
            }
        }
    }

    private void playAll(Stage stage, Interleaving<S, L> interleaving) {
        for (Setting setting : settings) {
            outcomes.put(new Case<>(interleaving, setting), play(stage, interleaving, setting));
        }
        if (stage.headsLeft() > 0) {
            violations.add(interleaving + " left heads behind");
        }
    }

    private Outcome play(Stage stage, Interleaving<S, L> interleaving, Setting setting) {
        try {
            return interleaving.play(stage, setting);
        } catch (AssertionError violation) {
            violations.add(interleaving + " in " + setting + ": " + violation.getMessage());
            stage.clear();
            return Outcome.VIOLATION;
        }
    }

    List<? extends Operation<S, L>> operations() {
        return operations;
    }

    List<Setting> settings() {
        return settings;
    }

    /** What must never be: events or effects lost, stranded, held twice, or reported otherwise than they are. */
    List<String> violations() {
        return violations;
    }

    Outcome outcome(Operation<S, L> first, Operation<S, L> second, Setting setting) {
        return requireNonNull(outcomes.get(new Case<>(new Interleaving<>(first, second), setting)));
    }
}
