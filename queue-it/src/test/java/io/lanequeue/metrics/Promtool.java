package io.lanequeue.metrics;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What comes with Prometheus to test rules: its own engine, over series that are written down. */
final class Promtool {

    private Promtool() {}

    /**
     * What it has to say against a query over the series of a scrape, which all rise; empty if the query has an answer.
     */
    static String complaint(String query, Scrape scrape, Path directory) throws IOException {
        Path test = directory.resolve("test.json"); // it reads YAML, and JSON is some
        new ObjectMapper().writeValue(test.toFile(), test(query, scrape));
        Process process = start(test);
        String said = process.inputReader().lines().collect(joining("\n"));
        return process.onExit().join().exitValue() == 0 ? "" : said;
    }

    private static Process start(Path test) {
        try {
            return new ProcessBuilder("promtool", "test", "rules", test.toString())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            throw new IllegalStateException("promtool is not installed (Debian: apt-get install prometheus)", e);
        }
    }

    /** A minute between values, and nothing expected to be absent after a quarter of an hour. */
    private static Map<String, Object> test(String query, Scrape scrape) {
        return Map.of(
                "tests",
                List.of(Map.of(
                        "interval",
                        "1m",
                        "input_series",
                        scrape.series().entrySet().stream()
                                .flatMap(metric -> series(metric.getKey(), metric.getValue()))
                                .toList(),
                        "promql_expr_test",
                        List.of(Map.of(
                                "expr", "absent(" + query + ")", "eval_time", "15m", "exp_samples", List.of())))));
    }

    private static Stream<Map<String, String>> series(String metric, List<Map<String, String>> series) {
        return series.stream().map(labels -> Map.of("series", metric + matchers(labels), "values", "0+100x20"));
    }

    private static String matchers(Map<String, String> labels) {
        return labels.entrySet().stream()
                .map(label -> label.getKey() + "=\"" + label.getValue() + "\"")
                .collect(joining(",", "{", "}"));
    }
}
