package io.lanequeue.benchmark;

import io.lanequeue.command.Stopwatch;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** One run: measures scenario by scenario, prints what each found, and writes results and charts. */
final class Run {

    private final Form form;
    private final List<Scenario> scenarios;
    private final Path directory;
    private final PrintWriter out;
    private final FigureTable table;
    private final Results results = new Results();

    Run(Form form, List<Scenario> scenarios, Path directory, PrintWriter out) {
        this.form = form;
        this.scenarios = scenarios;
        this.directory = directory;
        this.out = out;
        this.table = new FigureTable(out);
    }

    void measure() throws IOException, SQLException, InterruptedException {
        Files.createDirectories(directory);
        Machine machine = Machine.here();
        out.println(machine);
        try (BenchmarkServer server = BenchmarkServer.start()) {
            Map<String, String> settings = server.settings();
            out.println("PostgreSQL " + settings);
            out.println("No commit is waited for in " + figuresWith(Commits.NOT_AWAITED));
            table.printHeader();
            for (Scenario scenario : scenarios) {
                measure(scenario, new Lab(form, server, scenario.commits()));
            }
            new ResultsFile(directory.resolve("results.json")).write(form, machine, settings, results);
        }
        new Charts(directory).draw(results);
        conclude();
    }

    private List<String> figuresWith(Commits commits) {
        return scenarios.stream()
                .filter(scenario -> scenario.commits() == commits)
                .flatMap(scenario -> scenario.figures().stream())
                .toList();
    }

    private void measure(Scenario scenario, Lab lab) throws SQLException, InterruptedException {
        int before = results.figures().size();
        var stopwatch = new Stopwatch();
        scenario.measure(lab, results);
        table.print(results.figures().subList(before, results.figures().size()));
        out.println("  " + scenario.figures() + " took " + stopwatch.elapsed().toSeconds() + " s");
        out.flush();
    }

    private void conclude() {
        List<Boolean> met = results.figures().stream()
                .filter(figure -> figure.target() != null)
                .map(Figure::met)
                .toList();
        long reached = met.stream().filter(Boolean.TRUE::equals).count();
        out.println(reached + " of " + met.size() + " targets are met. Results and charts are in " + directory);
        out.flush();
    }
}
