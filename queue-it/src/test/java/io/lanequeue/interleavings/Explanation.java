package io.lanequeue.interleavings;

import io.lanequeue.model.Violation;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;

/** Whether what the calls reported and what the database holds make sense together. */
final class Explanation {

    private Explanation() {}

    /** The ledger of the first order of reports that is what the database holds; fails if there is none. */
    static <L extends Ledger> L of(Subject<L> subject, DSLContext dsl, List<List<Report<L>>> orders) {
        Report<L> found = subject.look(dsl);
        List<String> violations = new ArrayList<>();
        for (List<Report<L>> order : orders) {
            L ledger = subject.ledger();
            try {
                order.forEach(report -> report.enterIn(ledger));
                found.enterIn(ledger);
                return ledger;
            } catch (Violation violation) {
                violations.add(violation.getMessage());
            }
        }
        throw new AssertionError(subject + ": " + violations);
    }
}
