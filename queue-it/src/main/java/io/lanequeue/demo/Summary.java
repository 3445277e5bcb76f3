package io.lanequeue.demo;

import static io.lanequeue.command.Printout.number;

import io.lanequeue.command.Printout;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prints how a run ended. */
final class Summary {

    private final Printout out;

    Summary(PrintWriter out) {
        this.out = new Printout(out);
    }

    /**
     * @param runs the runs that were checked, the present one last
     * @param released the blocked lane that the operator released, in words; null if none was blocked
     */
    void print(
            List<Long> runs,
            Totals totals,
            int invalidLines,
            Before before,
            ShiftReport shift,
            @Nullable String released,
            DeliveryCheck check) {
        Tally tally = shift.tally();
        out.line("");
        out.line(runs.size() == 1 ? "Summary of run " + runs.get(0) : "Summary of the runs " + runs);
        out.row("events", number(totals.events()));
        out.row("lanes", number(totals.lanes()));
        out.row("invalid lines", number(invalidLines));
        out.row("appended", shift.appended() + after(before.appended()));
        out.row(
                "delivered",
                shift.delivered() + after(before.delivered())
                        + " (until only blocked lanes were left, the dead worker's leases waited for)");
        out.row("redeliveries", number(totals.redeliveries()));
        out.row(
                "leases lost",
                number(tally.leasesLeftBehind().get()) + " left by the worker that died, "
                        + number(tally.leasesLost().get()) + " of which a living worker was told");
        out.row("blocked lane", released == null ? "none" : released);
        out.row("released by", released == null ? "-" : "the operator, who mended the handler and called retryBlocked");
        out.line("");
        out.line("Check");
        out.verdict(check.undelivered() == 0, "every appended event was delivered", check.undelivered() + " were not");
        out.verdict(check.unknown() == 0, "nothing else was delivered", check.unknown() + " deliveries");
        out.verdict(
                check.outOfOrder() == 0,
                "the first deliveries of every lane are in (pts, event id) order" + late(check.late()),
                check.outOfOrder() + " came after a later one");
        out.verdict(check.left() == 0, "the outbox is empty", check.left() + " events are left");
        out.verdict(
                check.disagreements().isEmpty(),
                "the audit finds no disagreement between outbox and heads",
                check.disagreements().toString());
        out.conclusion(check.holds());
    }

    private static String after(long events) {
        return events == 0 ? "" : ", after " + number(events) + " by an earlier process";
    }

    private static String late(int events) {
        return events == 0 ? "" : ", except " + number(events) + " that came late with a lower pts";
    }
}
