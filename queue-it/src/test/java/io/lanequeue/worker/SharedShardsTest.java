package io.lanequeue.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.outbox.ClaimWindow;
import io.lanequeue.outbox.Event;
import io.lanequeue.outbox.LogicalShards;
import io.lanequeue.outbox.OutboxAudit;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.testing.NumberedEvents;
import io.lanequeue.testing.Session;
import io.lanequeue.worker.Witness.Happening;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Workers that split all shards among them, and what they deliver while the split changes. */
class SharedShardsTest extends OutboxWorkerFixture {

    private static final Duration OFTEN = Duration.ofMillis(20);
    private static final Duration RARELY = Duration.ofHours(1);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration UNTIL_A_LOOK_AT_ALL = Duration.ofSeconds(5);
    private static final Duration MOMENT = Duration.ofMillis(1);
    private static final int ALL = 256;
    private static final int HALF = 128;
    private static final int LANES = 50;

    private static final int WORKERS = 4;
    private static final int USERS = 40;
    private static final int EVENTS_EACH = 40;
    private static final int CHANGES = 6;
    private static final int DELIVERED_BETWEEN = 150;

    @Test
    void ofTwoWorkersEachClaimsOnlyItsOwn() {
        var first = new Sharing();
        first.witness.awaitShards(ALL);
        var second = new Sharing();
        first.awaitShards(HALF);
        second.awaitShards(HALF);

        appendToEveryShard();
        Stream.of(first, second).forEach(sharing -> sharing.worker.wake());

        first.witness.await(Happening.DELIVERED, HALF);
        second.witness.await(Happening.DELIVERED, HALF);
        assertThat(first.shards()).hasSize(HALF).doesNotContainAnyElementsOf(second.shards());
        assertThat(second.shards()).hasSize(HALF);
    }

    @Test
    void whoIsLeftWorksOnAllShards() {
        var first = new Sharing();
        first.witness.awaitShards(ALL);
        var second = new Sharing(new ShardGroup(db.dataSource(), db.schema(), "group", RARELY, LONG));
        first.awaitShards(HALF);

        second.worker.close();
        first.awaitShards(ALL);
        appendToEveryShard();
        first.worker.wake();

        first.witness.await(Happening.DELIVERED, ALL);
    }

    /** A stop that takes long is no reason for the others to wait. */
    @Test
    void aWorkerThatIsStoppingLeavesItsShardsAtOnce() throws Exception {
        var begun = new Latch();
        var door = new Latch();
        append(1, 1);
        OutboxWorker worker = start(worker(request()).withSharedShards(group()), (event, attempt) -> {
            begun.open();
            door.passWhateverComes();
        });
        begun.passWhateverComes();
        var other = new Sharing();
        other.witness.awaitShards(HALF);

        FutureTask<StopReport> stop = stopping(worker::stop);

        other.witness.awaitShards(ALL);
        assertThat(stop.isDone()).isFalse();
        door.open();
        assertThat(stop.get().isClean()).isTrue();
    }

    @Test
    void aMemberThatStandsStillDoesNotStrandItsShards() {
        Session member = db.open();
        assertThat(new MemberLock(group(), 0).take(member.dsl())).isTrue();
        var sharing = new Sharing();
        sharing.awaitShards(HALF);
        appendToEveryShard();
        sharing.worker.wake();
        sharing.witness.await(Happening.DELIVERED, HALF);
        sharing.timing.awaitWaiting();
        assertThat(sharing.shards()).hasSize(HALF);

        sharing.timing.jump(UNTIL_A_LOOK_AT_ALL);
        sharing.worker.wake();

        // All of them, not only as many as the one claim has whose time has come.
        sharing.witness.await(Happening.DELIVERED, ALL);
    }

    @Test
    void aBusyWorkerLooksAtAllShardsAsOftenAsAnIdleOne() {
        SharedLanes lanes = lanes(new AtomicReference<>(LogicalShards.share(0, 2)));
        append(1, 1);
        append(2, 1);
        append(4, 1);
        append(6, 1);

        assertThat(claimOne(lanes)).containsExactly(2L);
        timing.jump(UNTIL_A_LOOK_AT_ALL.minus(MOMENT));
        assertThat(claimOne(lanes)).containsExactly(4L);
        timing.jump(MOMENT);
        assertThat(claimOne(lanes)).containsExactly(1L);
        assertThat(claimOne(lanes)).containsExactly(6L);
    }

    @Test
    void anIdleWorkerHearsOfADueLaneBeyondItsShareWhenItLooksAtAll() {
        SharedLanes lanes = lanes(new AtomicReference<>(LogicalShards.share(0, 2)));
        append(1, 1);

        assertThat(lanes.untilDue(dsl)).isEmpty();
        timing.jump(UNTIL_A_LOOK_AT_ALL);

        assertThat(lanes.untilDue(dsl)).contains(Duration.ZERO);
    }

    @Test
    void claimsOfTheShareThatItHasNow() {
        var share = new AtomicReference<>(LogicalShards.share(0, 2));
        SharedLanes lanes = lanes(share);
        append(1, 1);
        append(2, 1);
        assertThat(claimOne(lanes)).containsExactly(2L);
        assertThat(claimOne(lanes)).isEmpty();

        share.set(LogicalShards.share(1, 2));

        assertThat(claimOne(lanes)).containsExactly(1L);
    }

    /** First deliveries ascend, and no lane is with two handlers at once, whoever has the shards. */
    @Test
    void orderIsKeptWhileWorkersComeAndGo() {
        var deliveries = new Deliveries();
        Deque<OutboxWorker> workers = new ArrayDeque<>();
        for (int i = 0; i < WORKERS; i++) {
            workers.add(runSharing(deliveries));
        }
        NumberedEvents.appendToAll(dsl, USERS, EVENTS_EACH);

        for (int change = 1; change <= CHANGES; change++) {
            witness.await(Happening.DELIVERED, change * DELIVERED_BETWEEN);
            int shared = witness.count(Happening.SHARED);
            if (change % 2 == 0) {
                workers.remove().close();
                workers.add(runSharing(deliveries));
            } else {
                terminateAMember();
            }
            witness.await(Happening.SHARED, shared + 1);
        }
        witness.await(Happening.DELIVERED, USERS * EVENTS_EACH);
        workers.forEach(OutboxWorker::close);

        assertThat(deliveries.mistakes()).isEmpty();
        assertThat(deliveries.repetitions()).isEmpty();
        assertThat(deliveries.last())
                .hasSize(USERS)
                .allSatisfy((user, pts) -> assertThat(pts).isEqualTo(EVENTS_EACH));
        assertThat(new OutboxAudit().disagreements(dsl, 10)).isEmpty();
    }

    @Test
    void takesNoShardsOfItsOwnBesides() {
        assertThatThrownBy(() -> worker(request().withShards(LogicalShards.of(1)))
                        .withSharedShards(db.dataSource(), db.schema(), "group"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("shares all shards");
        assertThatThrownBy(() -> worker(request()).withSharedShards(db.dataSource(), db.schema(), " "))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("group");
    }

    private void terminateAMember() {
        dsl.fetch("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and database ="
                + " (select oid from pg_database where datname = current_database()) limit 1");
    }

    private ShardGroup group() {
        return new ShardGroup(db.dataSource(), db.schema(), "group", OFTEN, LONG);
    }

    /** One user in each. */
    private void appendToEveryShard() {
        NumberedEvents.appendToAll(dsl, ALL, 1);
    }

    private SharedLanes lanes(AtomicReference<LogicalShards> share) {
        var call = new HandlerCall(timing, new Audience(witness));
        return new SharedLanes(
                share::get,
                shards -> new Lanes(
                        ClaimWindow.standard(),
                        request().withShards(shards),
                        lane -> new HeldLane(lane, (event, attempt) -> {}, RetryPolicy.standard(), call)),
                timing);
    }

    private List<Long> claimOne(SharedLanes lanes) {
        return lanes.claim(Transactions.on(source()), 1).items().stream()
                .map(held -> held.lane().lease().lane().value())
                .toList();
    }

    private OutboxWorker runSharing(Deliveries deliveries) {
        return run(
                worker(request().withEventsPerLane(2)).withSharedShards(group()),
                (event, attempt) -> deliveries.deliver(event));
    }

    /** A worker of the group in whose time nothing happens by itself, and what it was handed. */
    private final class Sharing {

        private final Witness witness = new Witness();
        private final ManualTiming timing = new ManualTiming();
        private final Queue<Event> handled = new ConcurrentLinkedQueue<>();
        private final OutboxWorker worker;

        private Sharing() {
            this(group());
        }

        private Sharing(ShardGroup group) {
            worker = started(OutboxWorker.on(source(), request().withLanes(LANES))
                    .withPollInterval(POLL_INTERVAL)
                    .withEvents(witness)
                    .withSharedShards(group)
                    .start(threads, (event, attempt) -> handled.add(event), timing));
        }

        /** Returns when it has so many, and no claim of those that it had before is under way. */
        void awaitShards(int count) {
            witness.awaitShards(count);
            timing.awaitWaiting();
        }

        List<Integer> shards() {
            return handled.stream()
                    .map(event -> event.targetUserId().logicalShard())
                    .toList();
        }
    }
}
