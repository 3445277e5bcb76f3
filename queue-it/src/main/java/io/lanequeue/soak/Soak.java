package io.lanequeue.soak;

import io.lanequeue.command.CommandLines;
import io.lanequeue.command.NumberOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command line of the soak. */
@Command(
        name = "lanequeue-soak",
        sortOptions = false,
        description = {
            "Runs both queues at a fixed rate on a server of its own, while connections, workers and the server itself are"
                    + " killed, and counts what is lost. Every kind of fault happens at least once.",
            "Prints loads, faults, losses and sizes at the end, and writes the sizes over time as a chart, and as CSV"
                    + " beside it."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:nothing was lost", "1:something was lost, or the soak could not run", "2:a wrong option"})
public final class Soak implements Callable<Integer> {

    private static final double MIN_MINUTES = 0.01;
    private static final double MAX_MINUTES = 7 * 24 * 60;
    private static final int MAX_RATE = 10_000;
    private static final double MAX_SECONDS_BETWEEN_FAULTS = 600;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--minutes",
            paramLabel = "N",
            defaultValue = "3",
            description = "How long events and effects become due. Default: ${DEFAULT-VALUE}.")
    private double minutes;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "500",
            description = "Events a second, and as many effects, 1 to " + MAX_RATE + ". Default: ${DEFAULT-VALUE}.")
    private int rate;

    @Option(
            names = "--faults",
            paramLabel = "KIND",
            split = ",",
            description = "The kinds of faults that happen, of ${COMPLETION-CANDIDATES}. Default: all.")
    private Set<FaultKind> faults = EnumSet.allOf(FaultKind.class);

    @Option(
            names = "--seconds-between-faults",
            paramLabel = "N",
            defaultValue = "10",
            description = "On average. Default: ${DEFAULT-VALUE}.")
    private double secondsBetweenFaults;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description =
                    "Of all that is random but the threads' turns. Default: another one each time; it is printed.")
    private @Nullable Long seed;

    @Option(
            names = "--chart",
            paramLabel = "FILE",
            defaultValue = "target/soak.png",
            description = "Where the chart goes. Default: ${DEFAULT-VALUE}.")
    private Path chart = Path.of("");

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Prints this.")
    private boolean help;

    /** Runs the soak and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine(CommandLines.standardOutput()).execute(args));
    }

    /** The command, writing to {@code out}. */
    static CommandLine commandLine(PrintWriter out) {
        return CommandLines.of(new Soak(), "The soak", out);
    }

    @Override
    public Integer call() throws Exception {
        NumberOption.check(spec, "--minutes", minutes, MIN_MINUTES, MAX_MINUTES);
        NumberOption.check(spec, "--rate", rate, 1, MAX_RATE);
        NumberOption.check(spec, "--seconds-between-faults", secondsBetweenFaults, 0, MAX_SECONDS_BETWEEN_FAULTS);
        var plan = new Plan(
                rate,
                Math.round(minutes * 60 * rate),
                faults,
                Duration.ofMillis(Math.round(secondsBetweenFaults * 1_000)),
                seed == null ? System.nanoTime() : seed);
        PrintWriter out = spec.commandLine().getOut();
        out.println("Seed " + plan.seed() + "; " + Plan.LANES + " lanes, " + Plan.REPOSITORIES
                + " repositories, at most " + Plan.CAP + " effects of each in flight");
        SoakReport report = run(plan, out);
        new Summary(out).print(report);
        writeChart(report, out);
        return report.holds() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private static SoakReport run(Plan plan, PrintWriter out) throws IOException, InterruptedException {
        try (SoakDatabase database = SoakDatabase.start()) {
            out.println("Server " + database.url());
            return new SoakRun(plan, database, Books.open(out), out).run();
        }
    }

    private void writeChart(SoakReport report, PrintWriter out) throws IOException {
        Path directory = chart.toAbsolutePath().getParent();
        if (directory != null) {
            Files.createDirectories(directory);
        }
        Path samples = Path.of(chart.toString().replaceFirst("\\.[^./]*$", "") + ".csv");
        SizeChart.write(chart, report.samples());
        SampleFile.write(samples, report.samples());
        out.println("Sizes over time: " + chart + " and " + samples);
    }
}
