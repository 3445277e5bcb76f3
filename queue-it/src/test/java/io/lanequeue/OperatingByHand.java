package io.lanequeue;

import io.lanequeue.effects.EffectAudit;
import io.lanequeue.effects.EffectOperator;
import io.lanequeue.effects.EffectUpkeep;
import io.lanequeue.effects.FailedQuery;
import io.lanequeue.effects.Redrive;
import io.lanequeue.effects.StaleReport;
import io.lanequeue.outbox.Discard;
import io.lanequeue.outbox.LaneQuery;
import io.lanequeue.outbox.LaneState;
import io.lanequeue.outbox.LaneStatus;
import io.lanequeue.outbox.OutboxAudit;
import io.lanequeue.outbox.OutboxOperator;
import io.lanequeue.outbox.Repair;
import io.lanequeue.schema.EventId;
import io.lanequeue.schema.RepoId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jooq.DSLContext;

/** What an operator does, as docs/operations.md shows it. */
final class OperatingByHand {

    private final Consumer<String> screen;

    OperatingByHand(Consumer<String> screen) {
        this.screen = screen;
    }

    // README begins
    private final OutboxOperator outbox = new OutboxOperator();
    private final EffectOperator effects = new EffectOperator();

    /** Lanes that are blocked, and why. */
    List<LaneStatus> blocked(DSLContext dsl) {
        List<LaneStatus> lanes =
                outbox.lanes(dsl, LaneQuery.of(LaneState.BLOCKED).withLimit(100));
        lanes.forEach(lane -> show(lane.lane() + " at " + lane.headId() + ": " + lane.lastError()));
        return lanes;
    }

    /** The cause is mended: the lane goes on with the event that failed. */
    boolean retry(DSLContext dsl, LaneStatus lane) {
        return outbox.retryBlocked(dsl, lane.lane(), lane.headId());
    }

    /** The event can never be delivered: the lane goes on behind it, and the event is kept as a dead letter. */
    Discard takeOut(DSLContext dsl, LaneStatus lane, String why) {
        return outbox.deleteHead(dsl, lane.lane(), lane.headId(), why);
    }

    /** It can, after all: it is appended again with its old pts. */
    Map<EventId, EventId> bringBack(DSLContext dsl, EventId deadLetter) {
        return outbox.redrive(dsl, List.of(deadLetter));
    }

    /** What failed for good in a repository; then all of it waits again. */
    Redrive redrive(DSLContext dsl, RepoId repo) {
        effects.failed(dsl, FailedQuery.of(repo)).forEach(effect -> show(effect.id() + ": " + effect.lastError()));
        return effects.redrive(dsl, repo, 1_000);
    }

    /** Where no EffectWorker runs: takes back what has been silent for five minutes. */
    StaleReport takeBack(DSLContext dsl) {
        return new EffectUpkeep().requeueStale(dsl, Duration.ofMinutes(5), 10, 1_000);
    }

    /** Compares heads and events, which reads both tables; then rebuilds the heads that differ. */
    void mend(DSLContext dsl) {
        new OutboxAudit().disagreements(dsl, 100).forEach(lane -> show(lane.toString()));
        Repair repair = new OutboxAudit().repair(dsl);
        show(repair.repairedLanes() + " lanes repaired, " + repair.busyLanes() + " were busy: call again for those");
        new EffectAudit().disagreements(dsl, 100).forEach(repo -> show(repo.toString()));
        show(new EffectAudit().repair(dsl).repairedRepos() + " repositories repaired");
    }
    // README ends

    private void show(String line) {
        screen.accept(line);
    }
}
