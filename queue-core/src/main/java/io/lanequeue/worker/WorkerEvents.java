package io.lanequeue.worker;

import java.time.Duration;

/**
 * Is told what a worker does, for meters and the like. Called by the worker's own threads and by those of the handlers:
 * be thread-safe and quick. What it throws is logged and goes no further.
 */
public interface WorkerEvents {

    /** Lanes or effects were claimed; not called for an empty claim. */
    default void claimed(int count) {}

    /** A handler was at it for so long, whatever came of it. */
    default void handled(Duration time) {}

    /** Events or effects are recorded as delivered. */
    default void delivered(int count) {}

    /** A failure is recorded, and there will be another attempt. */
    default void failed() {}

    /** A failure is recorded, and there will be no other attempt: a lane is blocked, an effect has failed for good. */
    default void gaveUp() {}

    /** A lane or effect was given back without a failure. */
    default void released() {}

    /**
     * A lease or claim was lost: another worker has it. Also where a report may have been recorded but the connection
     * was lost before the answer.
     */
    default void lost() {}

    /** Effects were taken back from workers that had been silent for too long, whoever these are. */
    default void requeued(int count) {}

    /**
     * From now on the worker has so many of the 256 logical shards, by {@link OutboxWorker.Builder#withSharedShards}.
     * All of them where it is alone, and where it cannot learn who else is there.
     */
    default void ownsShards(int count) {}

    /** The database stopped answering; called once, however often it is tried. */
    default void databaseWentAway() {}

    /** The database answers again. */
    default void databaseCameBack() {}

    /** Tells these first, and then the others. */
    default WorkerEvents and(WorkerEvents others) {
        return new BothEvents(this, others);
    }
}
