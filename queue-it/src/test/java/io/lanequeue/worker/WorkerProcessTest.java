package io.lanequeue.worker;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.devdb.ProcessLog;
import io.lanequeue.effects.EffectAudit;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.outbox.OutboxAudit;
import io.lanequeue.schema.EffectState;
import io.lanequeue.testing.Await;
import io.lanequeue.testing.JavaProcess;
import io.lanequeue.testing.NumberedEvents;
import io.lanequeue.testing.QueueContents;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.TestServer;
import io.lanequeue.testing.Wiring;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workers in processes of their own, one of which is killed, or stands still until others have its work. */
class WorkerProcessTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int USERS = 20;
    private static final int EVENTS_EACH = 15;
    private static final int REPOS = 5;
    private static final int EFFECTS_EACH = 40;
    private static final int BEFORE_IT_STANDS_STILL = 30;

    private final QueueDatabase db = QueueDatabase.create(Wiring.STANDARD);
    private final DSLContext dsl = db.open().dsl();
    private final List<Process> processes = new ArrayList<>();

    /** A process that is stopped in the middle of a transaction would hold its locks until it goes on. */
    @BeforeEach
    void endTransactionsOfPausedProcesses() {
        dsl.execute(
                "alter database {0} set idle_in_transaction_session_timeout = '1s'",
                DSL.name(dsl.fetchSingle("select current_database()").get(0, String.class)));
    }

    @BeforeEach
    void fill() {
        dsl.execute("create table public.handled"
                + " (number bigserial primary key, worker text, kind text, lane text, place integer)");
        NumberedEvents.appendToAll(dsl, USERS, EVENTS_EACH);
        new EffectProducer()
                .enqueueAll(
                        dsl,
                        IntStream.range(0, REPOS * EFFECTS_EACH)
                                .mapToObj(i -> NewEffect.of("repo " + i % REPOS, Integer.toString(i)))
                                .toList());
    }

    @AfterEach
    void endProcesses() throws InterruptedException {
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
        db.closeSessions();
    }

    @Test
    void whatAKilledWorkerHeldIsDoneByAnotherInOrder() throws Exception {
        Process killed = start("killed", BEFORE_IT_STANDS_STILL);
        awaitStandingStill(ProcessLog.of(killed));
        killed.destroyForcibly().waitFor();

        Process other = start("other", Integer.MAX_VALUE);
        ProcessLog said = ProcessLog.of(other);
        awaitDrained();
        stop(other, said);

        assertThatAllIsDoneOnceAtLeastAndInOrder();
    }

    @Test
    void aWorkerThatStoodStillUntilOthersHadItsWorkChangesNothing() throws Exception {
        Process paused = start("paused", BEFORE_IT_STANDS_STILL);
        ProcessLog pausedSaid = ProcessLog.of(paused);
        awaitStandingStill(pausedSaid);
        signal("STOP", paused);
        int inHand = dsl.fetchCount(DISPATCH_OUTBOX_USER_HEADS, DISPATCH_OUTBOX_USER_HEADS.LEASED_BY.eq("paused"))
                + dsl.fetchCount(
                        EFFECT_QUEUE,
                        EFFECT_QUEUE.STATE.eq(EffectState.CLAIMED).and(EFFECT_QUEUE.CLAIMED_BY.eq("paused")));

        Process other = start("other", Integer.MAX_VALUE);
        ProcessLog otherSaid = ProcessLog.of(other);
        awaitDrained();
        int handledBefore = handledBy("paused");
        QueueContents drained = QueueContents.of(dsl);

        signal("CONT", paused);
        int lines = pausedSaid.length();
        paused.outputWriter().append("go on\n").flush();
        assertThat(pausedSaid.awaitLine(WorkerProcess.WENT_ON, lines)).isTrue();
        stop(paused, pausedSaid);
        stop(other, otherSaid);

        assertThat(handledBy("paused") - handledBefore)
                .as("it ends the call of each handler that stood still, and begins no other one")
                .isBetween(1, inHand);
        assertThat(QueueContents.of(dsl)).isEqualTo(drained);
        assertThatAllIsDoneOnceAtLeastAndInOrder();
    }

    private Process start(String name, int before) throws IOException {
        Process process = JavaProcess.of(
                        WorkerProcess.class, TestServer.urlOf(db.dataSource()), name, Integer.toString(before))
                .start();
        processes.add(process);
        return process;
    }

    private static void awaitStandingStill(ProcessLog said) {
        assertThat(said.awaitLine(WorkerProcess.EVENTS_STAND_STILL, 0))
                .as(said::toString)
                .isTrue();
        assertThat(said.awaitLine(WorkerProcess.EFFECTS_STAND_STILL, 0))
                .as(said::toString)
                .isTrue();
    }

    private static void signal(String signal, Process process) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }

    private static void stop(Process process, ProcessLog said) throws IOException, InterruptedException {
        process.outputWriter().close();
        assertThat(process.waitFor()).as(said::toString).isZero();
    }

    private void awaitDrained() {
        Await.within(PATIENCE, () -> "what is left is done: " + QueueContents.of(dsl), () -> {
            assertThat(dsl.fetchExists(
                            EFFECT_QUEUE_REPO_HEADS, EFFECT_QUEUE_REPO_HEADS.IN_FLIGHT.gt(WorkerProcess.CAP)))
                    .as("a cap is passed")
                    .isFalse();
            return !dsl.fetchExists(DISPATCH_OUTBOX)
                    && !dsl.fetchExists(EFFECT_QUEUE, EFFECT_QUEUE.STATE.ne(EffectState.DONE));
        });
    }

    private int handledBy(String worker) {
        return dsl.fetchSingle("select count(*)::integer from public.handled where worker = ?", worker)
                .get(0, Integer.class);
    }

    private void assertThatAllIsDoneOnceAtLeastAndInOrder() {
        List<Integer> inOrder = IntStream.rangeClosed(1, EVENTS_EACH).boxed().toList();
        assertThat(IntStream.range(0, USERS))
                .allSatisfy(user -> assertThat(firstDeliveries("events", user))
                        .as("user " + user)
                        .isEqualTo(inOrder));
        assertThat(dsl.fetchSingle("select count(distinct place)::integer from public.handled where kind = 'effects'")
                        .get(0, Integer.class))
                .isEqualTo(REPOS * EFFECTS_EACH);
        assertThat(new OutboxAudit().disagreements(dsl, 10)).isEmpty();
        assertThat(new EffectAudit().disagreements(dsl, 10)).isEmpty();
    }

    private List<Integer> firstDeliveries(String kind, int lane) {
        return dsl.fetch(
                        "select place from public.handled where kind = ? and lane = ? group by place order by min(number)",
                        kind,
                        Integer.toString(lane))
                .getValues(0, Integer.class);
    }
}
