package io.lanequeue.demo;

import io.lanequeue.command.NumberOption;
import io.lanequeue.command.Pace;
import io.lanequeue.command.Printout;
import io.lanequeue.command.Session;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jooq.DSLContext;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** The command line of the second part, and its course from the migration to the check. */
@Command(
        name = "effects",
        sortOptions = false,
        description = {
            "Has two dispatchers drain the effects of many repositories, one of which has a deep backlog in front of all"
                    + " others, with a cap per repository. One dispatcher dies in the middle; some effects fail once.",
            "Killed and started again on the same database, it also does what was left."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every effect was completed and no cap was passed",
            "1:the check failed, or the demo could not run",
            "2:a wrong option"
        })
final class EffectsDemo implements Callable<Integer> {

    /** So many that in the middle there is something left to die with. */
    private static final int MIN_EFFECTS = 1_000;

    private static final int MAX_EFFECTS = 10_000_000;
    private static final int MAX_REPOSITORIES = 1_000;
    private static final int MAX_CAP = 10_000;

    @ParentCommand
    private OutboxDemo parent = new OutboxDemo();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--effects",
            paramLabel = "N",
            defaultValue = "100000",
            description = "Effects of the big repository, " + MIN_EFFECTS + " to " + MAX_EFFECTS
                    + ". Default: ${DEFAULT-VALUE}.")
    private int effects;

    @Option(
            names = "--repositories",
            paramLabel = "N",
            defaultValue = "100",
            description =
                    "Repositories, the big one among them, 2 to " + MAX_REPOSITORIES + ". Default: ${DEFAULT-VALUE}.")
    private int repositories;

    @Option(
            names = "--cap",
            paramLabel = "N",
            defaultValue = "20",
            description = "Most effects in flight per repository, 1 to " + MAX_CAP + ". Default: ${DEFAULT-VALUE}.")
    private int cap;

    @Override
    public Integer call() throws Exception {
        NumberOption.check(spec, "--effects", effects, MIN_EFFECTS, MAX_EFFECTS);
        NumberOption.check(spec, "--repositories", repositories, 2, MAX_REPOSITORIES);
        NumberOption.check(spec, "--cap", cap, 1, MAX_CAP);
        try (DemoDatabase database = parent.openDatabase();
                Session session = database.connect()) {
            boolean held = run(database, session.dsl(), spec.commandLine().getOut());
            return held ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }
    }

    private boolean run(DemoDatabase database, DSLContext dsl, PrintWriter out) throws InterruptedException {
        RunLock.take(dsl, out);
        out.println(DemoDatabase.inWords(dsl, database.migrate()));
        EffectTables.create(dsl);
        try {
            EffectTables.refuseForeignEffects(dsl);
            int left = EffectTables.resumeOrEmpty(dsl);
            if (left > 0) {
                out.println("An earlier process left " + Printout.number(left) + " effects; they are done too.");
            }
            var shift = new EffectShift(database, effects, repositories, cap, out);
            Pace completed = shift.work(dsl);
            EffectCheck check = EffectCheck.of(dsl, cap);
            new EffectSummary(dsl, out).print(completed, shift.tally(), cap, check);
            return check.holds();
        } finally {
            EffectTables.dropTriggers(dsl);
        }
    }
}
