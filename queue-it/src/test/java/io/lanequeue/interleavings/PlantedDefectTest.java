package io.lanequeue.interleavings;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.lanequeue.effects.Enqueued;
import io.lanequeue.effects.StaleReport;
import io.lanequeue.outbox.Event;
import io.lanequeue.outbox.LaneReport;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.EventId;
import io.lanequeue.testing.SchemaCode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The interleavings find defects: protections are taken out, one at a time. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlantedDefectTest {

    private final Stage stage = new Stage();
    private final SchemaCode code = new SchemaCode(stage.dsl());

    @AfterAll
    void closeStage() {
        stage.close();
    }

    static Stream<Arguments> defects() {
        return Stream.of(
                argumentSet(
                        "an append does not pin the head",
                        new Defect("dispatch_outbox_insert_user_heads", "FOR KEY SHARE", ""),
                        new Interleaving<>(LaneOperation.APPEND, LaneOperation.COMPLETE),
                        "LANE_WITHOUT_HEAD"),
                argumentSet(
                        "a deletion removes a head by an old snapshot",
                        new Defect("dispatch_outbox_delete_user_heads", "IF read_committed THEN", "IF true THEN"),
                        new Interleaving<>(LaneOperation.APPEND, LaneOperation.DELETE_LANE_BY_SQL),
                        "LANE_WITHOUT_HEAD"),
                argumentSet(
                        "a claim settles a lane by an old snapshot",
                        new Defect(
                                "dispatch_outbox_settle_heads",
                                "IN ('read committed', 'read uncommitted')",
                                "IS NOT NULL"),
                        new Interleaving<>(LaneOperation.APPEND, LaneOperation.SETTLE),
                        "LANE_WITHOUT_HEAD"),
                argumentSet(
                        "a deletion hands on a leased lane",
                        new Defect("dispatch_outbox_delete_user_heads", "AND x.lease_id IS NULL", ""),
                        new Interleaving<>(LaneOperation.CLAIM, LaneOperation.DELETE_LANE_BY_SQL),
                        "the head is null, and by the reports leased by"),
                argumentSet(
                        "an enqueue does not pin the head",
                        new Defect("effect_queue_pin_heads", "FOR KEY SHARE", ""),
                        new Interleaving<>(RepoOperation.ENQUEUE, RepoOperation.COMPLETE),
                        "REPO_WITHOUT_HEAD"),
                argumentSet(
                        "a report removes a head by an old snapshot",
                        new Defect(
                                "effect_queue_lock_empty_heads",
                                "NOT IN ('read committed', 'read uncommitted')",
                                "IS NULL"),
                        new Interleaving<>(RepoOperation.ENQUEUE, RepoOperation.COMPLETE),
                        "REPO_WITHOUT_HEAD"));
    }

    @ParameterizedTest
    @MethodSource("defects")
    <S extends Subject<L>, L extends Ledger> void aProtectionTakenOutOfTheDatabaseIsMissed(
            Defect defect, Interleaving<S, L> interleaving, String reason) {
        defect.plantIn(code);
        try {
            assertFound(interleaving, reason);
        } finally {
            code.restore();
        }
    }

    @Test
    void aWaitMoreIsSeen() {
        var interleaving = new Interleaving<>(LaneOperation.APPEND, LaneOperation.DELETE_LANE_BY_SQL);
        assertThat(interleaving.play(stage, Setting.PLAIN)).hasToString("proceeds");
        code.replace("dispatch_outbox_delete_user_heads", "SKIP LOCKED", "");
        try {
            assertThat(interleaving.play(stage, Setting.PLAIN)).hasToString("waits");
        } finally {
            code.restore();
        }
    }

    @Test
    void aCompletionThatDoesNotCompareItsFenceIsFound() {
        var complete = new DefectiveCall<>(LaneScene.LEASE_OVER, lane -> dsl -> {
            List<EventId> events =
                    lane.leased().events().stream().map(Event::id).toList();
            dsl.update(DISPATCH_OUTBOX_USER_HEADS)
                    .setNull(DISPATCH_OUTBOX_USER_HEADS.LEASE_ID)
                    .where(DISPATCH_OUTBOX_USER_HEADS.TARGET_USER_ID.eq(lane.id()))
                    .execute();
            dsl.deleteFrom(DISPATCH_OUTBOX).where(DISPATCH_OUTBOX.ID.in(events)).execute();
            var report = new LaneReport(lane.leased().lease(), LaneReport.Status.FINISHED, events, List.of());
            return ledger -> ledger.finished(report);
        });

        assertFound(new Interleaving<>(LaneOperation.CLAIM, complete), "finished under Lease");
    }

    @Test
    void aRequeueThatDoesNotLookAgainUnderTheLockIsFound() {
        var requeue = new DefectiveCall<>(RepoScene.BUSY, repo -> dsl -> {
            List<EffectId> stale = dsl.select(EFFECT_QUEUE.ID)
                    .from(EFFECT_QUEUE)
                    .where(EFFECT_QUEUE.CLAIMED_AT.lt(Instant.now().minus(Duration.ofMinutes(5))))
                    .fetch(EFFECT_QUEUE.ID);
            dsl.update(EFFECT_QUEUE)
                    .set(EFFECT_QUEUE.STATE, EffectState.ENQUEUED)
                    .setNull(EFFECT_QUEUE.CLAIM_ID)
                    .where(EFFECT_QUEUE.ID.in(stale))
                    .execute();
            var report = new StaleReport(stale, List.of(), List.of());
            return ledger -> ledger.requeued(report);
        });

        assertFound(new Interleaving<>(RepoOperation.COMPLETE, requeue), "became WAITING");
    }

    @Test
    void anEnqueueThatDoesNotHoldWhatStandsForItIsFound() {
        var enqueue = new DefectiveCall<>(RepoScene.LAST_WAITING, repo -> dsl -> {
            EffectId standing = dsl.select(EFFECT_QUEUE.ID)
                    .from(EFFECT_QUEUE)
                    .where(EFFECT_QUEUE.DEDUPE_KEY.eq(PreparedEffect.KEY_WAITING))
                    .fetchSingle(EFFECT_QUEUE.ID);
            var report = new Enqueued(standing, Enqueued.Status.ALREADY_WAITING);
            return ledger -> ledger.enqueued(report);
        });

        assertFound(new Interleaving<>(enqueue, RepoOperation.DISPATCH), "which stands for an open enqueue");
    }

    private <S extends Subject<L>, L extends Ledger> void assertFound(Interleaving<S, L> interleaving, String reason) {
        assertThat(violations(interleaving))
                .isNotEmpty()
                .allSatisfy(violation -> assertThat(violation).contains(reason));
    }

    private <S extends Subject<L>, L extends Ledger> List<String> violations(Interleaving<S, L> interleaving) {
        List<String> violations = new ArrayList<>();
        for (Setting setting : Setting.FIRST_COMMITS) {
            try {
                interleaving.play(stage, setting);
            } catch (AssertionError violation) {
                violations.add(setting + ": " + violation.getMessage());
                stage.clear();
            }
        }
        return violations;
    }
}
