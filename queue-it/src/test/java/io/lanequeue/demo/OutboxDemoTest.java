package io.lanequeue.demo;

import static io.lanequeue.demo.DemoTables.DELIVERIES;
import static io.lanequeue.demo.DemoTables.DELIVERY_EVENT;
import static io.lanequeue.demo.DemoTables.DELIVERY_LANE;
import static io.lanequeue.demo.DemoTables.DELIVERY_RUN;
import static io.lanequeue.demo.DemoTables.DELIVERY_WORKER;
import static io.lanequeue.demo.DemoTables.LINE;
import static io.lanequeue.demo.DemoTables.LINES;
import static io.lanequeue.demo.DemoTables.RUNS;
import static io.lanequeue.demo.DemoTables.RUN_CHECK_HELD;
import static io.lanequeue.demo.DemoTables.RUN_FINISHED_AT;
import static io.lanequeue.demo.DemoTables.RUN_ID;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.command.Session;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.schema.EventId;
import io.lanequeue.schema.TargetUserId;
import io.lanequeue.testing.Await;
import io.lanequeue.testing.JavaProcess;
import io.lanequeue.testing.TestServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The demo on a database of its own: broken input, a check that bites, and a process that is killed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OutboxDemoTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int VALID_LINES = 60;

    private final String url = TestServer.urlOf(TestServer.emptyDatabase());
    private final DemoDatabase database = DemoDatabase.open(url);
    private Outcome outcome = new Outcome(-1, "");

    /** One run serves several tests: it takes some seconds, most of them waiting for the lease of the dead worker. */
    @BeforeAll
    void runOverAFileWithThreeBrokenLines(@TempDir Path directory) throws IOException {
        List<String> lines = events(VALID_LINES, 7);
        lines.add(4, "{\"user\": 1, \"pts\": 1, \"type\": \"cut\", \"payload\": {\"text\": \"no e");
        lines.add(20, "{\"user\": 1, \"pts\": -1, \"type\": \"negative\", \"payload\": {}}");
        lines.add(40, "{\"user\": 1, \"pts\": 1, \"type\": \"nul\", \"payload\": {\"text\": \"\\u0000\"}}");
        outcome = demo(url, Files.write(directory.resolve("broken.ndjson"), lines));
    }

    @Test
    void reportsBrokenLinesAndDeliversTheOthers() {
        assertThat(outcome.output()).contains("The check holds.");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.output().lines().filter(line -> line.contains("is not valid")))
                .satisfiesExactly(
                        line -> assertThat(line).contains("line 5 ", "valid JSON"),
                        line -> assertThat(line).contains("line 21 ", "pts", "-1"),
                        line -> assertThat(line).contains("line 41 ", "payload", "\\u0000"));
        assertThat(appendedLines()).isEqualTo(VALID_LINES);
    }

    @Test
    void oneWorkerDiesAndOneLaneIsBlockedUntilTheOperatorActs() {
        assertThat(outcome.output())
                .containsPattern("redeliveries +[1-9]")
                .containsPattern("blocked lane +lane \\d+ at event \\d+ \\(pts \\d+\\), after 3 attempts")
                .contains("called retryBlocked");
    }

    @Test
    void theCheckSeesALostEvent() {
        DeliveryCheck check = checkAfter(dsl -> {
            EventId lost = dsl.select(DELIVERY_EVENT)
                    .from(DELIVERIES)
                    .limit(1)
                    .fetchSingle()
                    .value1();
            dsl.deleteFrom(DELIVERIES).where(DELIVERY_EVENT.eq(lost)).execute();
        });

        assertThat(check.undelivered()).isOne();
        assertThat(check.holds()).isFalse();
    }

    @Test
    void theCheckSeesTwoDeliveriesInTheWrongOrder() {
        DeliveryCheck check = checkAfter(dsl -> {
            List<EventId> lane = dsl.selectDistinct(DELIVERY_EVENT)
                    .from(DELIVERIES)
                    .where(DELIVERY_LANE.eq(new TargetUserId(1)))
                    .orderBy(DELIVERY_EVENT)
                    .fetch(DELIVERY_EVENT);
            EventId first = lane.get(lane.size() - 2);
            EventId second = lane.get(lane.size() - 1);
            var placeholder = new EventId(-1);
            rename(dsl, first, placeholder);
            rename(dsl, second, first);
            rename(dsl, placeholder, second);
        });

        assertThat(check.outOfOrder()).isOne();
        assertThat(check.holds()).isFalse();
    }

    @Test
    void theCheckSeesAnUnknownDelivery() {
        DeliveryCheck check = checkAfter(
                dsl -> dsl.insertInto(DELIVERIES, DELIVERY_RUN, DELIVERY_EVENT, DELIVERY_LANE, DELIVERY_WORKER)
                        .values(1L, new EventId(-1), new TargetUserId(1), "nobody")
                        .execute());

        assertThat(check.unknown()).isOne();
        assertThat(check.holds()).isFalse();
    }

    @Test
    void theCheckSeesWhatIsLeftInTheOutbox() {
        DeliveryCheck check = checkAfter(dsl -> new OutboxProducer().append(dsl, NewEvent.of(1, 1, "left", "{}")));

        assertThat(check.left()).isOne();
        assertThat(check.holds()).isFalse();
    }

    @Test
    void refusesToTakeAwayTheEventsOfOthers(@TempDir Path directory) throws IOException {
        String othersUrl = TestServer.urlOf(TestServer.emptyDatabase());
        DemoDatabase others = DemoDatabase.open(othersUrl);
        others.migrate();
        try (Session session = others.connect()) {
            new OutboxProducer().append(session.dsl(), NewEvent.of(1, 1, "theirs", "{}"));

            Outcome refused = demo(othersUrl, Files.write(directory.resolve("events.ndjson"), events(1, 1)));

            assertThat(refused.exitCode()).isOne();
            assertThat(refused.output()).contains("holds 1 events that the demo did not append");
            assertThat(DeliveryCheck.of(session.dsl(), List.of()).left()).isOne();
        }
    }

    @Test
    void goesOnAfterSigkillAndThenBeginsANewRun(@TempDir Path directory) throws Exception {
        int events = 8_000;
        Path file = Files.write(directory.resolve("many.ndjson"), events(events, 200));
        String killedUrl = TestServer.urlOf(TestServer.emptyDatabase());
        DemoDatabase killed = DemoDatabase.open(killedUrl);
        try (Session session = killed.connect()) {
            DSLContext dsl = session.dsl();
            DemoTables.create(dsl);
            Process process = fork(killedUrl, file, directory.resolve("killed.txt"));
            awaitDeliveries(dsl, 500, process);
            process.destroyForcibly().waitFor();

            assertThat(dsl.fetchCount(RUNS, RUN_FINISHED_AT.isNull())).isOne();
            assertThat(dsl.selectDistinct(DELIVERY_EVENT).from(DELIVERIES).fetch())
                    .hasSizeLessThan(events);

            Outcome resumed = demo(killedUrl, file);

            assertThat(resumed.output()).contains("Run 1 goes on", "The check holds.");
            assertThat(resumed.exitCode()).isZero();
            assertThat(dsl.fetchCount(LINES)).isEqualTo(events);
            assertThat(dsl.selectDistinct(LINE).from(LINES).fetch()).hasSize(events);
            assertThat(dsl.select(RUN_CHECK_HELD).from(RUNS).fetch(RUN_CHECK_HELD))
                    .containsExactly(true);

            Outcome next = demo(killedUrl, Files.write(directory.resolve("few.ndjson"), events(5, 2)));

            assertThat(next.output()).contains("Run 2 begins", "The check holds.");
            assertThat(next.exitCode()).isZero();
        }
    }

    /** The check of the finished run, after a change that is rolled back. */
    private DeliveryCheck checkAfter(Consumer<DSLContext> change) {
        try (Session session = database.connect()) {
            session.connection().setAutoCommit(false);
            List<Long> runs = session.dsl().select(RUN_ID).from(RUNS).fetch(RUN_ID);
            assertThat(DeliveryCheck.of(session.dsl(), runs).holds()).isTrue();
            change.accept(session.dsl());
            DeliveryCheck check = DeliveryCheck.of(session.dsl(), runs);
            session.connection().rollback();
            return check;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void rename(DSLContext dsl, EventId from, EventId to) {
        dsl.update(DELIVERIES)
                .set(DELIVERY_EVENT, to)
                .where(DELIVERY_EVENT.eq(from))
                .execute();
    }

    private int appendedLines() {
        try (Session session = database.connect()) {
            return session.dsl().fetchCount(LINES);
        }
    }

    private static List<String> events(int number, int users) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            lines.add("{\"user\": " + i % users + ", \"pts\": " + i / users
                    + ", \"type\": \"note.added\", \"payload\": {\"text\": \"Notiz № " + i + " 🚲\"}}");
        }
        return lines;
    }

    private static Outcome demo(String url, Path events) {
        var output = new StringWriter();
        int exitCode = OutboxDemo.commandLine(new PrintWriter(output, true))
                .execute("--url", url, "--events", events.toString());
        return new Outcome(exitCode, output.toString());
    }

    private static Process fork(String url, Path events, Path output) throws IOException {
        return JavaProcess.of(OutboxDemo.class, "--url", url, "--events", events.toString())
                .redirectOutput(output.toFile())
                .start();
    }

    private static void awaitDeliveries(DSLContext dsl, int number, Process process) {
        Await.within(PATIENCE, () -> "the demo has delivered " + number + " times", () -> {
            assertThat(process.isAlive()).as("the demo is still running").isTrue();
            return dsl.fetchCount(DELIVERIES) >= number;
        });
    }

    private record Outcome(int exitCode, String output) {}
}
