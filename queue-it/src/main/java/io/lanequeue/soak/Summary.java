package io.lanequeue.soak;

import static io.lanequeue.command.Printout.number;

import java.io.PrintWriter;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** Prints how a soak ended. */
final class Summary {

    private static final String COUNT = "  %-62s %,12d";
    private static final String SIZES = "  %-44s %9s %9s %9s %9s";
    private static final int KIB = 1024;

    private final PrintWriter out;

    Summary(PrintWriter out) {
        this.out = out;
    }

    void print(SoakReport report) {
        printLoads(report);
        line("");
        line("Faults");
        for (FaultKind kind : FaultKind.values()) {
            line(COUNT, kind.words(), report.faults().of(kind));
        }
        line("");
        line("What happened");
        for (Happening happening : Happening.values()) {
            line(COUNT, happening.words(), report.books().happenings().of(happening));
        }
        line("");
        line("Losses");
        for (Loss loss : Loss.values()) {
            line(COUNT, loss.words(), report.books().losses().of(loss));
        }
        line("");
        printSizes(report.samples());
        line("");
        line(
                report.holds()
                        ? "Nothing was lost."
                        : "LOSSES: " + number(report.books().losses().total()) + ".");
    }

    private void printLoads(SoakReport report) {
        double seconds = report.time().toMillis() / 1000.0;
        line("");
        line(
                "Loads in %.1f s; %.1f s later everything was worked off",
                seconds, report.drained().toMillis() / 1000.0);
        line("  %-10s %22s %22s", "", "planned", "reached in the time");
        printLoad("events", report.events(), seconds);
        printLoad("effects", report.effects(), seconds);
    }

    private void printLoad(String name, Load.Progress load, double seconds) {
        line(
                "  %-10s %,12d %,7.1f/s %,12d %,7.1f/s",
                name, load.planned(), load.planned() / seconds, load.reached(), load.reached() / seconds);
    }

    private void printSizes(List<Sample> samples) {
        line(SIZES, "Sizes", "start", "middle", "end", "most");
        for (String table : samples.get(0).tables()) {
            printRow(table + ", KiB", samples, sample -> sample.tableBytes(table) / KIB);
            printRow("  its indexes, KiB", samples, sample -> sample.indexBytes(table) / KIB);
            printRow("  its dead rows", samples, sample -> sample.deadRows(table));
        }
    }

    private void printRow(String name, List<Sample> samples, ToLongFunction<Sample> size) {
        List<Long> sizes = samples.stream().map(size::applyAsLong).toList();
        line(
                SIZES,
                name,
                number(sizes.get(0)),
                number(sizes.get(sizes.size() / 2)),
                number(sizes.get(sizes.size() - 1)),
                number(Collections.max(sizes)));
    }

    private void line(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
    }
}
