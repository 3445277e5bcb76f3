package io.lanequeue.testing;

import java.util.stream.Stream;

/** What a call may touch, and how its statements may be planned. */
public interface Cost {

    /** Fails if the call touched more, or was planned otherwise. */
    void assertCovers(PlannedRun run, BacklogDatabase database);

    /** The plan caches under which it may differ. */
    Stream<PlanCache> planCaches();
}
