package io.lanequeue.model.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.model.Campaign;
import io.lanequeue.model.Operation;
import io.lanequeue.model.Search;
import io.lanequeue.model.Step;
import io.lanequeue.model.outbox.OutboxModel.Which;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Wiring;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Random sequences of everything that can be done to the outbox, on four connections, against {@link OutboxModel}. */
class OutboxModelTest {

    private final QueueDatabase db = QueueDatabase.of(Wiring.STANDARD);

    @AfterEach
    void resetDatabase() {
        db.reset();
    }

    @Test
    void everySequenceGoesAsTheModelSays() {
        Campaign.run(OutboxModelTest.class, db, new OutboxQueue(), 150);
    }

    /** Found by seed 1795996054821: the snapshot has the head that is gone, the transaction has the one it made. */
    @Test
    void anOldSnapshotShowsTheLeaseOfALaneThatWasDrainedAndAppendedToSince() {
        List<Step<OutboxModel>> steps = List.of(
                act(1, new Append(List.of(new Append.Entry(1, 3)))),
                act(2, new ClaimLanes(Set.of(1L), 5, 3)),
                new Step.Begin<>(2, Isolation.REPEATABLE_READ),
                act(1, new Finish(0, 1, Which.PRESENT, new Outcome(Outcome.Kind.COMPLETED, 0))),
                act(2, new Append(List.of(new Append.Entry(1, 0)))),
                act(2, new Look()));

        assertThat(new Search<>(db, new OutboxQueue()).play(steps)).isEmpty();
    }

    /** Found by seed 1796008463124: the append waits for the one who removes the head, and makes a new one. */
    @Test
    void anOldSnapshotThatWaitedForTheRemovalOfAHeadHasANewOne() {
        List<Step<OutboxModel>> steps = List.of(
                act(1, new Append(List.of(new Append.Entry(1, 3)))),
                act(1, new ClaimLanes(Set.of(1L), 5, 3)),
                new Step.Begin<>(1, Isolation.READ_COMMITTED),
                act(1, new Finish(0, 1, Which.PRESENT, new Outcome(Outcome.Kind.COMPLETED, 0))),
                new Step.Begin<>(2, Isolation.REPEATABLE_READ),
                act(2, new Append(List.of(new Append.Entry(1, 0)))),
                new Step.Control<>(1, Step.Verb.COMMIT),
                act(2, new ClaimLanes(Set.of(1L), 5, 3)));

        assertThat(new Search<>(db, new OutboxQueue()).play(steps)).isEmpty();
    }

    /** Found by seed 1796013733958: an operator's call that finds nothing to do is no reason to think otherwise. */
    @Test
    void anOldSnapshotThatWasLookedAtHasANewHeadTooWhereItsOwnIsGone() {
        List<Step<OutboxModel>> steps = List.of(
                act(1, new Append(List.of(new Append.Entry(1, 4)))),
                act(1, new ClaimLanes(Set.of(1L), 1, 2)),
                new Step.Begin<>(2, Isolation.SERIALIZABLE),
                act(1, new Finish(0, 2, Which.PRESENT, new Outcome(Outcome.Kind.COMPLETED, 0))),
                act(2, new RetryBlocked(0)),
                act(2, new Append(List.of(new Append.Entry(1, 1)))),
                act(2, new ClaimLanes(Set.of(1L), 1, 2)));

        assertThat(new Search<>(db, new OutboxQueue()).play(steps)).isEmpty();
    }

    /** Found by seed 1796018791868: it does not see the failed event, and takes what it sees from behind it. */
    @Test
    void aLaneWhoseFailureCommitsWhileItsEventsAreTakenOutGoesOnBackingOff() {
        List<Step<OutboxModel>> steps = List.of(
                act(1, new Append(List.of(new Append.Entry(1, 0)))),
                new Step.Begin<>(2, Isolation.READ_COMMITTED),
                act(2, new Append(List.of(new Append.Entry(1, 1)))),
                act(1, new DeleteHead(1)),
                act(2, new ClaimLanes(Set.of(1L), 1, 1)),
                act(2, new Finish(0, 1, Which.PRESENT, new Outcome(Outcome.Kind.RETRY_LATER, 0))),
                act(1, new Append(List.of(new Append.Entry(1, 3)))),
                act(1, new DeleteLane(1)),
                new Step.Control<>(2, Step.Verb.COMMIT));

        assertThat(new Search<>(db, new OutboxQueue()).play(steps)).isEmpty();
    }

    private static Step<OutboxModel> act(int actor, Operation<OutboxModel> operation) {
        return new Step.Act<>(actor, operation);
    }
}
