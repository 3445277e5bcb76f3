package io.lanequeue.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.testing.QueueDatabase;

/**
 * A run of a test: its usual sequences, the same ones each time, so that a change is not refused for what the dice
 * found in another; or {@code lanequeue.model.sequences} of them, fresh ones, or those from
 * {@code lanequeue.model.seed} on.
 */
public final class Campaign {

    private static final long USUAL_SEED = 1;

    private Campaign() {}

    /** Fails with the shortest sequence that the model does not allow. */
    public static <M extends Model<M>> void run(Class<?> test, QueueDatabase db, Queue<M> queue, int usualSequences) {
        Integer asked = Integer.getInteger("lanequeue.model.sequences");
        int sequences = asked == null ? usualSequences : asked;
        long firstSeed = Long.getLong("lanequeue.model.seed", asked == null ? USUAL_SEED : System.currentTimeMillis());
        System.out.printf("%s: %d sequences from seed %d on%n", test.getSimpleName(), sequences, firstSeed);
        assertThat(new Search<>(db, queue).run(firstSeed, sequences))
                .as(() -> "every sequence goes as the model says")
                .map(finding -> report(test, finding))
                .isEmpty();
    }

    private static String report(Class<?> test, Search.Finding<?> finding) {
        return """

                In %d steps of the sequence with seed %d:
                %s
                The whole sequence again: mvn verify -Dtest=%s -Dsurefire.failIfNoSpecifiedTests=false \
                -Dlanequeue.model.seed=%d -Dlanequeue.model.sequences=1
                """.formatted(
                finding.steps().size(), finding.seed(), finding.failure(), test.getSimpleName(), finding.seed());
    }
}
