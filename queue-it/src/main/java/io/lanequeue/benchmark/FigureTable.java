package io.lanequeue.benchmark;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Prints figures as the rows of a table. */
final class FigureTable {

    private static final String ROW = "%-32s %9s %8s  %-3s %11s %9s %11s %9s %-8s  %s";

    private final PrintWriter out;

    FigureTable(PrintWriter out) {
        this.out = out;
    }

    void printHeader() {
        out.println(ROW.formatted("figure", "value", "target", "met", "ours", "p99", "baseline", "p99", "", "what"));
    }

    void print(List<Figure> figures) {
        for (Figure figure : figures) {
            out.println(ROW.formatted(
                    figure.id(),
                    inWords(figure.value()),
                    inWords(figure.target()),
                    inWords(figure.met()),
                    median(figure.ours()),
                    p99(figure.ours()),
                    median(figure.baseline()),
                    p99(figure.baseline()),
                    figure.unit(),
                    figure.what()));
        }
        out.flush();
    }

    private static String median(@Nullable Measure measure) {
        return measure == null ? "" : inWords(measure.value());
    }

    private static String p99(@Nullable Measure measure) {
        return measure == null || measure.p99() == null ? "" : inWords(measure.p99());
    }

    private static String inWords(@Nullable Boolean met) {
        if (met == null) {
            return "";
        }
        return met ? "yes" : "NO";
    }

    private static String inWords(@Nullable Target target) {
        return target == null ? "" : target.relation() + " " + target.bound();
    }

    private static String inWords(double number) {
        return String.format(Locale.ROOT, Math.abs(number) < 100 ? "%.3f" : "%,.0f", number);
    }
}
