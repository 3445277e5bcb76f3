package io.lanequeue.demo;

import io.lanequeue.command.Again;
import io.lanequeue.command.Session;
import io.lanequeue.outbox.Claim;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.LaneOutcome;
import io.lanequeue.outbox.LaneReport;
import io.lanequeue.outbox.OutboxConsumer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Claims lanes, has the handler deliver them and reports the outcome, until it is told to stop. */
final class Worker {

    /** Short, so that the lanes of a worker that dies are soon delivered by others. */
    static final Duration LEASE = Duration.ofSeconds(2);

    private static final int LANES = 100;
    private static final int EVENTS_PER_LANE = 10;
    private static final long IDLE_MILLIS = 20;

    private final OutboxConsumer consumer = new OutboxConsumer();
    private final DemoDatabase database;
    private final Handler handler;
    private final Tally tally;
    private final CountDownLatch stop;

    Worker(DemoDatabase database, Handler handler, Tally tally, CountDownLatch stop) {
        this.database = database;
        this.handler = handler;
        this.tally = tally;
        this.stop = stop;
    }

    /** Works under a name until stopped; begins when {@code start} is opened. */
    Void work(String name, CountDownLatch start) throws InterruptedException {
        start.await();
        ClaimRequest request = request(name);
        try (Session session = database.connect()) {
            while (stop.getCount() > 0) {
                Claim claim = Again.call(() -> consumer.claim(session.dsl(), request));
                if (!claim.isEmpty()) {
                    List<LaneOutcome> outcomes = handler.deliver(session.dsl(), name, claim.lanes());
                    count(Again.call(() -> consumer.finish(session.dsl(), outcomes)));
                } else if (claim.isIdle()) {
                    waitForWork();
                }
            }
        }
        return null;
    }

    /**
     * Works under a name until it holds lanes, delivers a part of them and dies: its connection ends, nothing is
     * reported. Opens {@code dying} then.
     */
    Void workAndDie(String name, CountDownLatch dying) throws InterruptedException {
        ClaimRequest request = request(name);
        try (Session session = database.connect()) {
            while (stop.getCount() > 0) {
                Claim claim = Again.call(() -> consumer.claim(session.dsl(), request));
                if (!claim.isEmpty()) {
                    handler.deliverFirst(session.dsl(), name, claim.lanes());
                    tally.leasesLeftBehind().addAndGet(claim.lanes().size());
                    break;
                }
                waitForWork();
            }
        } finally {
            dying.countDown();
        }
        return null;
    }

    private static ClaimRequest request(String name) {
        return ClaimRequest.by(name)
                .withLanes(LANES)
                .withEventsPerLane(EVENTS_PER_LANE)
                .withLease(LEASE);
    }

    private void waitForWork() throws InterruptedException {
        stop.await(IDLE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void count(List<LaneReport> reports) {
        for (LaneReport report : reports) {
            tally.delivered().addAndGet(report.deleted().size());
            if (report.status() == LaneReport.Status.LEASE_LOST) {
                tally.leasesLost().incrementAndGet();
            }
        }
    }
}
