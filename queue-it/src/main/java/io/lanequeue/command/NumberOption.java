package io.lanequeue.command;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Options that are numbers of a certain range. */
public final class NumberOption {

    private NumberOption() {}

    /** Refuses a number out of range. */
    public static void check(CommandSpec spec, String option, int number, int min, int max) {
        if (number < min || number > max) {
            throw refused(spec, option, number, min, max);
        }
    }

    /** Refuses a number out of range. */
    public static void check(CommandSpec spec, String option, double number, double min, double max) {
        if (number < min || number > max) {
            throw refused(spec, option, number, min, max);
        }
    }

    private static ParameterException refused(CommandSpec spec, String option, Number number, Number min, Number max) {
        return new ParameterException(
                spec.commandLine(), option + " must be from " + min + " to " + max + ", but is " + number);
    }
}
