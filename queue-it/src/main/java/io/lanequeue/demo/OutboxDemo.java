package io.lanequeue.demo;

import io.lanequeue.command.CommandLines;
import io.lanequeue.command.NumberOption;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command line of the demo. */
@Command(
        name = "lanequeue-demo",
        sortOptions = false,
        subcommands = EffectsDemo.class,
        description = {
            "Appends a file of events to the dispatch outbox and delivers them, each user's events strictly in order,"
                    + " while one worker dies and one event fails until an operator acts.",
            "Killed in the middle and started again on the same database with the same file, it goes on where it was.",
            "The command 'effects' is the second part, the effect queue; 'effects --help' has its options."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:everything was delivered in order and nothing was lost",
            "1:the check failed, or the demo could not run",
            "2:a wrong option"
        })
public final class OutboxDemo implements Callable<Integer> {

    private static final int MAX_THREADS = 32;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--events",
            paramLabel = "FILE",
            description = {
                "Events, one JSON object a line:",
                "{\"user\": 17, \"pts\": 4, \"type\": \"message.created\", \"payload\": {...}}",
                "Other fields are ignored, and so are blank lines. Default: the sample that ships with the demo."
            })
    private @Nullable Path events;

    @Option(
            names = "--producers",
            paramLabel = "N",
            defaultValue = "4",
            description = "Producers that append, 1 to " + MAX_THREADS + ". Default: ${DEFAULT-VALUE}.")
    private int producers;

    @Option(
            names = "--workers",
            paramLabel = "N",
            defaultValue = "4",
            description = "Workers that deliver, besides the one that dies, 1 to " + MAX_THREADS
                    + ". Default: ${DEFAULT-VALUE}.")
    private int workers;

    @Option(
            names = "--url",
            scope = ScopeType.INHERIT,
            paramLabel = "JDBC-URL",
            description = {
                "The database to run in; what the demo writes stays there, in the schemas lanequeue and lanequeue_demo.",
                "Default: a scratch database on the server that -Dlanequeue.postgres.url names, in a container, or on an"
                        + " embedded server."
            })
    private @Nullable String url;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Prints this.")
    private boolean help;

    /** Runs the demo and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine(CommandLines.standardOutput()).execute(args));
    }

    /** The command, writing to {@code out}. */
    static CommandLine commandLine(PrintWriter out) {
        return CommandLines.of(new OutboxDemo(), "The demo", out);
    }

    @Override
    public Integer call() throws Exception {
        NumberOption.check(spec, "--producers", producers, 1, MAX_THREADS);
        NumberOption.check(spec, "--workers", workers, 1, MAX_THREADS);
        EventFile file = events == null ? EventFile.sample() : EventFile.at(events);
        try (DemoDatabase database = openDatabase()) {
            PrintWriter out = spec.commandLine().getOut();
            boolean held = new Demonstration(database, file, producers, workers, out).run();
            return held ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }
    }

    /** The database of either part. */
    DemoDatabase openDatabase() {
        return DemoDatabase.open(url);
    }
}
