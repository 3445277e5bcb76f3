package io.lanequeue.demo;

import io.lanequeue.outbox.LaneQuery;
import io.lanequeue.outbox.LaneState;
import io.lanequeue.outbox.LaneStatus;
import io.lanequeue.outbox.OutboxOperator;
import java.io.PrintWriter;
import org.jooq.DSLContext;

/** The operator of the demo: finds blocked lanes, mends what made them fail and has them tried again. */
final class OperatorDesk {

    private final OutboxOperator operator = new OutboxOperator();
    private final Run run;
    private final Fault fault;
    private final PrintWriter out;

    OperatorDesk(Run run, Fault fault, PrintWriter out) {
        this.run = run;
        this.fault = fault;
        this.out = out;
    }

    /** Releases the lanes that are blocked. */
    void releaseBlockedLanes(DSLContext dsl) {
        for (LaneStatus lane : operator.lanes(dsl, LaneQuery.of(LaneState.BLOCKED))) {
            long depth = operator.depth(dsl, lane.lane());
            String blocked = "lane " + lane.lane() + " at event " + lane.headId() + " (pts " + lane.headPts()
                    + "), after " + lane.attempts() + " attempts, \"" + lane.lastError() + "\"";
            out.println("Operator: blocked is " + blocked + "; events in the lane: " + depth);
            fault.mend();
            boolean retried = dsl.transactionResult(transaction -> {
                Runs.recordRelease(transaction.dsl(), run, blocked);
                return operator.retryBlocked(transaction.dsl(), lane.lane(), lane.headId());
            });
            out.println(
                    retried
                            ? "Operator: mended the handler, and the lane is tried again."
                            : "Operator: the lane is not blocked on that event any more.");
        }
    }
}
