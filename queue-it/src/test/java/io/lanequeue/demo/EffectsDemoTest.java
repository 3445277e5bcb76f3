package io.lanequeue.demo;

import static io.lanequeue.demo.EffectTables.ATTEMPTS;
import static io.lanequeue.demo.EffectTables.ATTEMPT_EFFECT;
import static io.lanequeue.demo.EffectTables.ATTEMPT_HANDLED;
import static io.lanequeue.demo.EffectTables.EFFECT;
import static io.lanequeue.demo.EffectTables.EFFECTS;
import static io.lanequeue.demo.EffectTables.PEAKS;
import static io.lanequeue.demo.EffectTables.PEAK_REPO;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.max;

import io.lanequeue.command.Session;
import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.effects.RepoDisagreement;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.RepoId;
import io.lanequeue.testing.TestServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The second part of the demo on a database of its own: a small run, and a check that bites. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EffectsDemoTest {

    private static final int CAP = 20;

    private final String url = TestServer.urlOf(TestServer.emptyDatabase());
    private final DemoDatabase database = DemoDatabase.open(url);
    private Outcome outcome = new Outcome(-1, "");

    /** One run serves all tests: it takes some seconds, most of them waiting for the claims of the dead dispatcher. */
    @BeforeAll
    void run() {
        outcome = demo("effects", "--effects", "2000", "--repositories", "30", "--cap", String.valueOf(CAP));
    }

    @Test
    void completesEveryEffectAndPassesNoCap() {
        assertThat(outcome.output())
                .contains("2,000 of them of monorepo", "at most: monorepo 20;", "The check holds.")
                .containsPattern("of 30 repositories");
        assertThat(outcome.exitCode()).isZero();
    }

    @Test
    void oneDispatcherDiesAndSomeEffectsFailOnce() {
        assertThat(outcome.output())
                .containsPattern("redeliveries +[1-9]")
                .containsPattern("claims lost +([1-9]\\d*) left by the dispatcher that died, [1-9]")
                .containsPattern("retries +[1-9]");
    }

    @Test
    void theCheckSeesAnEffectThatWasNotDone() {
        EffectCheck check = checkAfter(dsl -> dsl.update(ATTEMPTS)
                .set(ATTEMPT_HANDLED, false)
                .where(ATTEMPT_EFFECT.eq(anEffect(dsl)))
                .execute());

        assertThat(check.unhandled()).isOne();
        assertThat(check.holds()).isFalse();
    }

    @Test
    void theCheckSeesAnEffectThatTheQueueLost() {
        EffectCheck check = checkAfter(dsl -> dsl.deleteFrom(EFFECT_QUEUE)
                .where(EFFECT_QUEUE.ID.eq(anEffect(dsl)))
                .execute());

        assertThat(check.incomplete()).isOne();
        assertThat(check.holds()).isFalse();
    }

    @Test
    void theCheckSeesAnUnknownEffect() {
        EffectCheck check = checkAfter(
                dsl -> dsl.deleteFrom(EFFECTS).where(EFFECT.eq(anEffect(dsl))).execute());

        assertThat(check.unknown()).isPositive();
        assertThat(check.holds()).isFalse();
    }

    @Test
    void theCheckSeesWhatIsLeft() {
        EffectCheck check = checkAfter(dsl -> enqueue(dsl, "left", 1));

        assertThat(check.left()).isOne();
        assertThat(check.holds()).isFalse();
    }

    /** Recorded by the trigger, and still seen when nothing is in flight any more. */
    @Test
    void theCheckSeesACapThatWasPassed() {
        EffectCheck check = checkAfter(dsl -> {
            EffectTables.create(dsl);
            enqueue(dsl, "greedy", CAP + 1);
            var consumer = new EffectConsumer();
            List<ClaimedEffect> claimed =
                    consumer.dispatch(dsl, DispatchRequest.by("without a cap").withLimit(CAP + 1));
            consumer.complete(dsl, claimed.stream().map(ClaimedEffect::claim).toList());
        });

        assertThat(check.overCap()).containsExactly(new RepoId("greedy"));
        assertThat(check.left()).isZero();
        assertThat(check.holds()).isFalse();
    }

    @Test
    void theCheckSeesThatNobodyRecordedWhatWasInFlight() {
        EffectCheck check = checkAfter(dsl ->
                dsl.deleteFrom(PEAKS).where(PEAK_REPO.eq(EffectLoad.MONOREPO)).execute());

        assertThat(check.unwatched()).isOne();
        assertThat(check.holds()).isFalse();
    }

    @Test
    void theCheckSeesAWrongNumberInFlight() {
        EffectCheck check = checkAfter(dsl -> dsl.insertInto(
                        EFFECT_QUEUE_REPO_HEADS, EFFECT_QUEUE_REPO_HEADS.REPO_ID, EFFECT_QUEUE_REPO_HEADS.IN_FLIGHT)
                .values(new RepoId("phantom"), 3)
                .execute());

        assertThat(check.disagreements())
                .extracting(RepoDisagreement::kind)
                .containsExactly(RepoDisagreement.Kind.WRONG_IN_FLIGHT);
        assertThat(check.holds()).isFalse();
    }

    @Test
    void bothPartsShareADatabaseAndRefuseWhatIsNotTheirs(@TempDir Path directory) throws IOException {
        Path events = Files.writeString(
                directory.resolve("events.ndjson"), "{\"user\": 1, \"pts\": 1, \"type\": \"note\", \"payload\": {}}");
        try (Session session = database.connect()) {
            enqueue(session.dsl(), "theirs", 2);
            assertThat(demo("--events", events.toString()).exitCode()).isZero();

            Outcome effectsRefused = demo("effects");

            assertThat(effectsRefused.exitCode()).isOne();
            assertThat(effectsRefused.output()).contains("holds 2 effects that the demo did not enqueue");

            session.dsl()
                    .deleteFrom(EFFECT_QUEUE)
                    .where(EFFECT_QUEUE.REPO_ID.eq(new RepoId("theirs")))
                    .execute();
            new OutboxProducer().append(session.dsl(), NewEvent.of(1, 1, "theirs", "{}"));

            Outcome eventsRefused = demo("--events", events.toString());

            assertThat(eventsRefused.exitCode()).isOne();
            assertThat(eventsRefused.output()).contains("holds 1 events that the demo did not append");
        }
    }

    @Test
    void refusesNumbersOutOfRange() {
        Outcome refused = demo("effects", "--repositories", "1");

        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.output()).contains("--repositories must be from 2 to");
    }

    private Outcome demo(String... args) {
        var written = new StringWriter();
        List<String> all = new ArrayList<>(List.of(args));
        Collections.addAll(all, "--url", url);
        int code = OutboxDemo.commandLine(new PrintWriter(written, true)).execute(all.toArray(String[]::new));
        return new Outcome(code, written.toString());
    }

    /** The check of the finished run, after a change that is rolled back. */
    private EffectCheck checkAfter(Consumer<DSLContext> change) {
        try (Session session = database.connect()) {
            session.connection().setAutoCommit(false);
            assertThat(EffectCheck.of(session.dsl(), CAP).holds()).isTrue();
            change.accept(session.dsl());
            EffectCheck check = EffectCheck.of(session.dsl(), CAP);
            session.connection().rollback();
            return check;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static EffectId anEffect(DSLContext dsl) {
        return dsl.select(max(EFFECT)).from(EFFECTS).fetchSingle().value1();
    }

    private static void enqueue(DSLContext dsl, String repo, int number) {
        new EffectProducer().enqueueAll(dsl, Collections.nCopies(number, NewEffect.of(repo, "{}")));
    }

    private record Outcome(int exitCode, String output) {}
}
