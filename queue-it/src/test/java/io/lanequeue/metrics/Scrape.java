package io.lanequeue.metrics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a Prometheus server reads from a service.
 *
 * @param series the labels of each series, by the name of the metric
 */
record Scrape(Map<String, List<Map<String, String>>> series) {

    private static final Pattern LINE = Pattern.compile("(\\w+)(?:\\{(.*)})? \\S+");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

    /** Reads the text format. */
    static Scrape of(String text) {
        Map<String, List<Map<String, String>>> series = new HashMap<>();
        for (String line : text.lines().filter(line -> !line.startsWith("#")).toList()) {
            Matcher parts = LINE.matcher(line);
            if (!parts.matches()) {
                throw new IllegalArgumentException("Not a line of the text format: " + line);
            }
            Map<String, String> labels = new HashMap<>();
            if (parts.group(2) != null) {
                LABEL.matcher(parts.group(2)).results().forEach(label -> labels.put(label.group(1), label.group(2)));
            }
            series.computeIfAbsent(parts.group(1), name -> new ArrayList<>()).add(labels);
        }
        return new Scrape(series);
    }

    boolean has(String metric) {
        return series.containsKey(metric);
    }

    Set<String> labelsOf(String metric) {
        return series.getOrDefault(metric, List.of()).stream()
                .flatMap(labels -> labels.keySet().stream())
                .collect(Collectors.toSet());
    }

    /** Whether a series of the metric has all of these labels, with these values. */
    boolean has(String metric, Map<String, String> labels) {
        return series.getOrDefault(metric, List.of()).stream()
                .anyMatch(others -> others.entrySet().containsAll(labels.entrySet()));
    }
}
