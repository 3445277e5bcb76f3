package io.lanequeue.interleavings;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.testing.Isolation;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Every two operations of a queue, at each isolation level on each side, where the first one commits. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class InterleavingsContract<S extends Subject<L>, L extends Ledger> {

    private final String table;
    private final List<? extends Operation<S, L>> operations;
    private Matrix<S, L> matrix;

    InterleavingsContract(String table, List<? extends Operation<S, L>> operations) {
        this.table = table;
        this.operations = operations;
    }

    @BeforeAll
    void playAll() throws ExecutionException, InterruptedException {
        matrix = Matrix.of(operations, Setting.FIRST_COMMITS);
    }

    @Test
    void whatIsReportedIsWhatHappenedAndAllThatWaitsComesOut() {
        assertThat(matrix.violations()).isEmpty();
    }

    @Test
    void everyPairEndsAsTheTableSays() throws IOException {
        DocumentedTable.assertShows(table, MatrixTable.of(matrix));
    }

    // What SERIALIZABLE refuses beyond that depends on what the plans of the server read.
    @Test
    void twoSerializableTransactionsEndAsAtRepeatableReadOrTheSecondHasToCallAgain() {
        for (Operation<S, L> first : operations) {
            for (Operation<S, L> second : operations) {
                for (Ending ending : List.of(Ending.COMMITS, Ending.COMMITS_UNSEEN)) {
                    Outcome expected = matrix.outcome(first, second, both(Isolation.REPEATABLE_READ, ending));
                    assertThat(matrix.outcome(first, second, both(Isolation.SERIALIZABLE, ending)))
                            .as("%s, %s, the first one %s", first, second, ending)
                            .isIn(
                                    expected,
                                    new Outcome("", expected.waits(), "40001"),
                                    new Outcome("", expected.waits(), "40001 at commit"));
                }
            }
        }
    }

    private static Setting both(Isolation isolation, Ending ending) {
        return new Setting(isolation, isolation, ending);
    }
}
