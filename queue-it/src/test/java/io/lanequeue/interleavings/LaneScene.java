package io.lanequeue.interleavings;

import io.lanequeue.outbox.LaneOutcome;
import java.util.function.BiConsumer;
import org.jooq.DSLContext;

/** The states of a lane in which two calls meet. */
enum LaneScene implements Scene<Lane> {
    READY((lane, dsl) -> {}),

    /** Leased, and the time of the lease is over: its holder may report, and others may claim. */
    LEASE_OVER((lane, dsl) -> {
        lane.lease(dsl);
        lane.letTheLeaseRunOut(dsl);
    }),

    BLOCKED((lane, dsl) -> {
        lane.lease(dsl);
        lane.block(dsl);
    }),

    /** As {@link #LEASE_OVER}, and the events are gone. */
    EMPTIED((lane, dsl) -> {
        lane.lease(dsl);
        lane.deleteEvents(dsl);
        lane.letTheLeaseRunOut(dsl);
    }),

    /** Not leased, and the events are gone. */
    DANGLING((lane, dsl) -> {
        lane.lease(dsl);
        lane.deleteEvents(dsl);
        lane.finish(dsl, LaneOutcome.released(lane.leased()));
    }),

    /** Without a head. */
    DRAINED((lane, dsl) -> {
        lane.lease(dsl);
        lane.finish(dsl, LaneOutcome.completed(lane.leased()));
    }),

    /** As {@link #LEASE_OVER}, and an event came before the head by a way round the triggers. */
    AMISS((lane, dsl) -> {
        lane.lease(dsl);
        lane.letTheLeaseRunOut(dsl);
        lane.appendRoundTheTriggers(dsl);
    });

    private final BiConsumer<Lane, DSLContext> preparation;

    LaneScene(BiConsumer<Lane, DSLContext> preparation) {
        this.preparation = preparation;
    }

    @Override
    public Lane prepare(DSLContext dsl, long number) {
        Lane lane = new Lane(dsl, number);
        preparation.accept(lane, dsl);
        return lane;
    }
}
