package io.lanequeue.interleavings;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Two transactions that make calls on the same two lanes or repositories, in opposite order. */
class DeadlockTest {

    /** Those that take what they find, wherever it is. */
    private static final Set<LaneOperation> OF_ANY_LANE =
            EnumSet.of(LaneOperation.CLAIM, LaneOperation.SETTLE, LaneOperation.REPAIR);

    private static final Set<RepoOperation> OF_ANY_REPOSITORY = EnumSet.of(
            RepoOperation.DISPATCH,
            RepoOperation.SETTLE,
            RepoOperation.PROMOTE,
            RepoOperation.REQUEUE_STALE,
            RepoOperation.PRUNE,
            RepoOperation.REPAIR);

    @Test
    void callsInTwoLanesInOppositeOrderEndAsTheTableSays() throws IOException {
        DocumentedTable.assertShows(
                "deadlocks of lanes",
                play(Stream.concat(
                        EnumSet.complementOf(EnumSet.copyOf(OF_ANY_LANE)).stream()
                                .map(Crossing::of),
                        Stream.of(new Crossing<>(
                                LaneOperation.APPEND,
                                LaneOperation.COMPLETE,
                                LaneOperation.EXTEND,
                                LaneOperation.REPAIR)))));
    }

    @Test
    void callsInTwoRepositoriesInOppositeOrderEndAsTheTableSays() throws IOException {
        DocumentedTable.assertShows(
                "deadlocks of repositories",
                play(Stream.concat(
                        EnumSet.complementOf(EnumSet.copyOf(OF_ANY_REPOSITORY)).stream()
                                .map(Crossing::of),
                        Stream.of(new Crossing<>(
                                RepoOperation.ENQUEUE,
                                RepoOperation.COMPLETE,
                                RepoOperation.RELEASE,
                                RepoOperation.REPAIR)))));
    }

    private static <S extends Subject<L>, L extends Ledger> String play(Stream<Crossing<S, L>> crossings) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("calls", "outcome"));
        try (Stage stage = new Stage()) {
            crossings.forEach(crossing -> rows.add(List.of(crossing.title(), crossing.play(stage))));
        }
        return DocumentedTable.markdown(rows);
    }
}
