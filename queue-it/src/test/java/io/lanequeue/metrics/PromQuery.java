package io.lanequeue.metrics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A query of a dashboard or an alert, as far as its names go. Whatever word is not of the language is a metric. */
record PromQuery(String text) {

    private static final Set<String> LANGUAGE = Set.of("sum", "max", "rate", "increase");
    private static final Pattern GROUPING = Pattern.compile("\\bby \\(([^)]*)\\)");
    private static final Pattern SELECTOR = Pattern.compile("([a-zA-Z_]\\w*)(?:\\{([^}]*)})?");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)=\"([^\"]*)\"");

    /** What it names that the scrape does not have; empty if there is nothing. */
    List<String> unknownIn(Scrape scrape) {
        List<String> unknown = new ArrayList<>();
        Map<String, Map<String, String>> selected = selected();
        selected.forEach((metric, labels) -> {
            if (!scrape.has(metric)) {
                unknown.add(metric);
            } else if (!scrape.has(metric, labels)) {
                unknown.add(metric + labels);
            }
        });
        groupings()
                .filter(label -> selected.keySet().stream()
                        .anyMatch(metric -> !scrape.labelsOf(metric).contains(label)))
                .forEach(unknown::add);
        return unknown;
    }

    Set<String> metrics() {
        return selected().keySet();
    }

    private Map<String, Map<String, String>> selected() {
        Map<String, Map<String, String>> selected = new HashMap<>();
        String withoutTimes = text.replaceAll("\\[[^]]*]", "");
        Matcher selector = SELECTOR.matcher(GROUPING.matcher(withoutTimes).replaceAll(""));
        while (selector.find()) {
            if (!LANGUAGE.contains(selector.group(1))) {
                String matchers = selector.group(2) == null ? "" : selector.group(2);
                Map<String, String> labels = MATCHER.matcher(matchers)
                        .results()
                        .collect(Collectors.toMap(label -> label.group(1), label -> label.group(2)));
                selected.put(selector.group(1), labels);
            }
        }
        return selected;
    }

    private Stream<String> groupings() {
        return GROUPING.matcher(text)
                .results()
                .flatMap(grouping -> Stream.of(grouping.group(1).split(", ")));
    }
}
