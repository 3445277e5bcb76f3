package io.lanequeue.interleavings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Where the first of two transactions rolls back, the second one does as if it had been alone. */
@Tag("long")
class RolledBackInterleavingsTest {

    /** That of a repair above READ COMMITTED. */
    private static final String WRONG_ISOLATION = "25000";

    @Test
    void nobodyWhoWaitedForACallOnALaneThatIsRolledBackHasToCallAgain() throws Exception {
        assertNobodyHasToCallAgain(List.of(LaneOperation.values()));
    }

    @Test
    void nobodyWhoWaitedForACallOnARepositoryThatIsRolledBackHasToCallAgain() throws Exception {
        assertNobodyHasToCallAgain(List.of(RepoOperation.values()));
    }

    private static <S extends Subject<L>, L extends Ledger> void assertNobodyHasToCallAgain(
            List<? extends Operation<S, L>> operations) throws ExecutionException, InterruptedException {
        Matrix<S, L> matrix = Matrix.of(operations, Setting.FIRST_ROLLS_BACK);

        assertThat(matrix.violations()).isEmpty();
        for (Operation<S, L> first : operations) {
            for (Operation<S, L> second : operations) {
                for (Setting setting : Setting.FIRST_ROLLS_BACK) {
                    assertThat(matrix.outcome(first, second, setting).refusal())
                            .as("%s, %s, %s", first, second, setting)
                            .isIn("", WRONG_ISOLATION);
                }
            }
        }
    }
}
