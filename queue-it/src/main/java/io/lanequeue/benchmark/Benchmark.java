package io.lanequeue.benchmark;

import io.lanequeue.command.CommandLines;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of the benchmark. */
@Command(
        name = "lanequeue-benchmark",
        sortOptions = false,
        description = {
            "Measures what the library promises, each figure beside its own baseline, in turn with it on the same server.",
            "Prints the figures as they come, and writes results.json and the charts. Let nothing else run meanwhile."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:measured, whether or not the targets are met",
            "1:the benchmark could not run",
            "2:a wrong option"
        })
public final class Benchmark implements Callable<Integer> {

    private static final List<Scenario> SCENARIOS = List.of(
            new BulkAppend(),
            new SingleAppend(Commits.AWAITED),
            new SingleAppend(Commits.NOT_AWAITED),
            new ClaimGrowth(),
            new ClaimBaselines(),
            new FairDispatch(),
            new OrderedDrain(),
            new EffectDrain(),
            new SnapshotLoad(),
            new LibraryOverhead(),
            new ManyConsumers(),
            new AppendWhileDraining(),
            new SteadySize(),
            new SmallRepos(),
            new IdleWorker(),
            new WakeUp());

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--full", description = "The full form, about 40 minutes. Default: the quick one, about 4 minutes.")
    private boolean full;

    @Option(names = "--smoke", hidden = true, description = "A run of seconds whose numbers say nothing.")
    private boolean smoke;

    @Option(
            names = "--only",
            paramLabel = "FIGURES",
            split = ",",
            description = "Only these figures and those measured with them, as in B3,B9.")
    private Set<String> only = Set.of();

    @Option(
            names = "--output",
            paramLabel = "DIRECTORY",
            defaultValue = "target/benchmark",
            description = "Where results and charts go. Default: ${DEFAULT-VALUE}.")
    private Path output = Path.of("");

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Prints this.")
    private boolean help;

    /** Runs the benchmark and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine(CommandLines.standardOutput()).execute(args));
    }

    /** The command, writing to {@code out}. */
    static CommandLine commandLine(PrintWriter out) {
        return CommandLines.of(new Benchmark(), "The benchmark", out);
    }

    @Override
    public Integer call() throws Exception {
        new Run(form(), scenarios(), output, spec.commandLine().getOut()).measure();
        return CommandLine.ExitCode.OK;
    }

    private Form form() {
        if (smoke) {
            return Form.SMOKE;
        }
        return full ? Form.FULL : Form.QUICK;
    }

    private List<Scenario> scenarios() {
        if (only.isEmpty()) {
            return SCENARIOS;
        }
        Set<String> known = SCENARIOS.stream()
                .flatMap(scenario -> scenario.figures().stream())
                .collect(Collectors.toSet());
        Set<String> unknown = new TreeSet<>(only);
        unknown.removeAll(known);
        if (!unknown.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "--only: there is no figure " + String.join(", ", unknown));
        }
        return SCENARIOS.stream()
                .filter(scenario -> scenario.figures().stream().anyMatch(only::contains))
                .toList();
    }
}
