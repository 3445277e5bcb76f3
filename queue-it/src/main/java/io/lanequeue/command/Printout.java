package io.lanequeue.command;

import java.io.PrintWriter;
import java.util.Locale;

/** The layout of a summary and its check. */
public final class Printout {

    private final PrintWriter out;

    public Printout(PrintWriter out) {
        this.out = out;
    }

    public void line(String text) {
        out.println(text);
    }

    public void row(String name, String value) {
        out.println(String.format(Locale.ROOT, "  %-14s %s", name, value));
    }

    /** One promise, and how it was broken where it does not hold. */
    public void verdict(boolean holds, String promise, String otherwise) {
        out.println(holds ? "  yes  " + promise : "  NO   " + promise + ": " + otherwise);
    }

    public void conclusion(boolean holds) {
        out.println(holds ? "The check holds." : "THE CHECK FAILED.");
    }

    public static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
