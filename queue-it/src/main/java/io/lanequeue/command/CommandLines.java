package io.lanequeue.command;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;

/** Runs commands. What ends one is told in words. */
public final class CommandLines {

    private CommandLines() {}

    /**
     * A command that writes to {@code out}.
     *
     * @param name how it is called in a sentence
     */
    public static CommandLine of(Object command, String name, PrintWriter out) {
        return new CommandLine(command)
                .setOut(out)
                .setErr(out)
                .setExecutionExceptionHandler((failure, commandLine, parsed) -> {
                    commandLine.getErr().println(name + " stopped: " + Failures.inWords(failure));
                    return CommandLine.ExitCode.SOFTWARE;
                });
    }

    /** Standard output, in UTF-8. */
    public static PrintWriter standardOutput() {
        return new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    }
}
