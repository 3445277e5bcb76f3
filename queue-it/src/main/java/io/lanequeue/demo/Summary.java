package io.lanequeue.demo;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Prints how a run ended. */
final class Summary {

    private final PrintWriter out;

    Summary(PrintWriter out) {
        this.out = out;
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
        out.println();
        out.println(runs.size() == 1 ? "Summary of run " + runs.get(0) : "Summary of the runs " + runs);
        row("events", number(totals.events()));
        row("lanes", number(totals.lanes()));
        row("invalid lines", number(invalidLines));
        row("appended", shift.appended() + after(before.appended()));
        row(
                "delivered",
                shift.delivered() + after(before.delivered())
                        + " (until only blocked lanes were left, the dead worker's leases waited for)");
        row("redeliveries", number(totals.redeliveries()));
        row(
                "leases lost",
                number(tally.leasesLeftBehind().get()) + " left by the worker that died, "
                        + number(tally.leasesLost().get()) + " of which a living worker was told");
        row("blocked lane", released == null ? "none" : released);
        row("released by", released == null ? "-" : "the operator, who mended the handler and called retryBlocked");
        out.println();
        out.println("Check");
        verdict(check.undelivered() == 0, "every appended event was delivered", check.undelivered() + " were not");
        verdict(check.unknown() == 0, "nothing else was delivered", check.unknown() + " deliveries");
        verdict(
                check.outOfOrder() == 0,
                "the first deliveries of every lane are in (pts, event id) order" + late(check.late()),
                check.outOfOrder() + " came after a later one");
        verdict(check.left() == 0, "the outbox is empty", check.left() + " events are left");
        verdict(
                check.disagreements().isEmpty(),
                "the audit finds no disagreement between outbox and heads",
                check.disagreements().toString());
        out.println(check.holds() ? "The check holds." : "THE CHECK FAILED.");
    }

    private void row(String name, String value) {
        out.println(String.format(Locale.ROOT, "  %-14s %s", name, value));
    }

    private void verdict(boolean holds, String promise, String otherwise) {
        out.println(holds ? "  yes  " + promise : "  NO   " + promise + ": " + otherwise);
    }

    private static String after(long events) {
        return events == 0 ? "" : ", after " + number(events) + " by an earlier process";
    }

    private static String late(int events) {
        return events == 0 ? "" : ", except " + number(events) + " that came late with a lower pts";
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
