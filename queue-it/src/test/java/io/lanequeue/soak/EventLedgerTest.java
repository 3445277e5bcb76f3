package io.lanequeue.soak;

import static io.lanequeue.soak.Place.Arrival.IN_TURN;
import static io.lanequeue.soak.Place.Arrival.LATE;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.Event;
import io.lanequeue.outbox.LaneOutcome;
import io.lanequeue.outbox.Lease;
import io.lanequeue.outbox.LeasedLane;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxConsumer;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.schema.EventId;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The ledger calls nothing a loss that is none, and finds each kind that is planted. */
class EventLedgerTest extends SoakFixture {

    private static final long LANE = 7;

    private final OutboxProducer producer = new OutboxProducer();
    private final OutboxConsumer consumer = new OutboxConsumer();

    @Test
    void nothingIsLostByWorkersThatDeliverBeforeTheyReport() throws InterruptedException {
        append(0, 2, 4, 6);
        books.events().committed(List.of(producer.append(dsl, new Place(3, LATE).event(LANE))));

        drain();

        close();
        assertLosses();
        assertThat(books.happenings().of(Happening.DELIVERED)).isEqualTo(5);
    }

    @Test
    void aLateEventMayComeAfterThoseBehindIt() throws InterruptedException {
        append(0, 2, 4);
        drain();
        books.events().committed(List.of(producer.append(dsl, new Place(1, LATE).event(LANE))));

        drain();

        close();
        assertLosses();
    }

    @Test
    void aWorkerMayTellOfItsLeaseWhenItHasLostIt() {
        append(0);
        LeasedLane lost = claim();
        makeClaimable();
        LeasedLane next = claim();

        books.events().leased(next);
        books.events().leased(lost);

        report(lost);
        assertLosses();
        assertThat(books.happenings().of(Happening.LEASE_LOST)).isOne();
    }

    @Test
    void aWorkerThatHasLostItsLeaseMayDeliverWhatWasTakenOutMeanwhile() throws InterruptedException {
        append(0, 2);
        LeasedLane lost = claimAndTell();
        EventId taken = lost.events().get(0).id();
        books.events().reporting(lost.lease());
        makeClaimable();
        dsl.execute("delete from lanequeue.dispatch_outbox where id = ?", taken.value());
        books.events().removed(List.of(taken));
        drain();

        books.events().delivered(lost.lease(), lost.events().get(0));

        close();
        assertLosses();
        assertThat(books.happenings().of(Happening.REMOVED_AND_DELIVERED_LATE)).isOne();
    }

    @Test
    void findsThatAWorkerDeliversOutOfOrderUnderItsLeaseEvenWhatIsTakenOutAfterwards() {
        append(0, 2);
        LeasedLane lane = claimAndTell();
        Event first = lane.events().get(0);
        books.events().delivered(lane.lease(), lane.events().get(1));
        books.events().delivered(lane.lease(), first);
        dsl.execute(
                "delete from lanequeue.dispatch_outbox where id = ?", first.id().value());
        books.events().removed(List.of(first.id()));
        report(lane);

        close();
        assertLosses(Loss.OUT_OF_ORDER);
    }

    @Test
    void findsThatAWorkerReportedBeforeItDelivered() {
        append(0, 2);
        report(claimAndTell());

        close();
        assertLosses(Loss.EVENT_LOST, Loss.EVENT_LOST);
    }

    @Test
    void findsThatTheInsertTriggerWasOffForAMoment() throws InterruptedException {
        withoutTrigger("dispatch_outbox", "dispatch_outbox_insert_user_head", () -> append(0));
        new Invariants(Plan.CAP, books.losses()::add).check(dsl);
        drain();

        close();
        assertLosses(Loss.EVENT_LEFT, Loss.LANE_HEAD_WRONG);
    }

    @Test
    void findsThatTwoEventsChangedPlaces() throws InterruptedException {
        append(0, 2);
        withoutTrigger(
                "dispatch_outbox",
                "dispatch_outbox_refuse_update",
                () -> dsl.execute("update lanequeue.dispatch_outbox set pts = 2 - pts"));

        drain();

        close();
        assertLosses(Loss.OUT_OF_ORDER);
    }

    @Test
    void findsADeliveryOfWhatDidNotCommit() throws InterruptedException {
        producer.append(dsl, new Place(0, IN_TURN).event(LANE));

        drain();

        close();
        assertLosses(Loss.EVENT_UNKNOWN);
    }

    @Test
    void findsThatALaneWasHandedOutWhileItsLeaseRan() {
        append(0);
        claimAndTell();
        makeClaimable();

        claimAndTell();

        assertLosses(Loss.LANE_LEASED_TWICE);
    }

    @Test
    void findsThatAnOutcomeCountedUnderALostLease() {
        append(0);
        LeasedLane lost = claimAndTell();
        makeClaimable();
        claimAndTell();
        dsl.execute(
                "update lanequeue.dispatch_outbox_user_heads set lease_id = ?",
                lost.lease().id().value());

        report(lost);

        assertLosses(Loss.LANE_LEASED_TWICE, Loss.FINISHED_UNDER_LOST_LEASE);
    }

    /** The database forgets that the lane is leased. */
    private void makeClaimable() {
        dsl.execute("update lanequeue.dispatch_outbox_user_heads set available_at = now()");
    }

    private void report(LeasedLane lane) {
        Set<Lease> newest = books.events().reporting(lane.lease()) ? Set.of(lane.lease()) : Set.of();
        consumer.finish(dsl, List.of(LaneOutcome.completed(lane)))
                .forEach(report -> books.events().reported(report, newest));
    }

    /** Events in turn of one lane, in one transaction, of which the ledger is told. */
    private void append(Integer... places) {
        List<NewEvent> events = Stream.of(places)
                .map(place -> new Place(place, IN_TURN).event(LANE))
                .toList();
        books.events().committed(producer.appendAll(dsl, events));
    }

    private LeasedLane claim() {
        return consumer.claim(dsl, ClaimRequest.by("test").withEventsPerLane(10).withLease(Plan.LEASE))
                .lanes()
                .get(0);
    }

    /** Claims the lane, of which the ledger is told. */
    private LeasedLane claimAndTell() {
        LeasedLane lane = claim();
        books.events().leased(lane);
        return lane;
    }

    /** Has a worker of the soak work until there is nothing left that it finds. */
    private void drain() throws InterruptedException {
        var worker = new LaneWorker(client, books, workerHabits(), new Random(1));
        while (!Backlog.of(dsl).isDrained()) {
            worker.workOnce();
        }
    }

    private void close() {
        books.events().close(Backlog.eventsLeft(dsl));
    }
}
