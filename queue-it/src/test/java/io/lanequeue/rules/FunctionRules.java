package io.lanequeue.rules;

import io.lanequeue.schema.LanequeueSchema;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jooq.DSLContext;

/**
 * Finds what in a queue's functions depends on who calls them: names, operators and functions that the server looks up
 * on the caller's {@code search_path}, and functions that everybody may call.
 */
final class FunctionRules {

    /** What is no code, or names its schema. */
    private static final Pattern SAFE = Pattern.compile("--[^\n]*|'(?:[^']|'')*'|OPERATOR\\(pg_catalog\\.[^)]+\\)");

    private static final Pattern UNQUALIFIED_NAME = Pattern.compile("(?<![\\w.])(dispatch_outbox|effect_queue)\\w*");

    /** {@code a = b} at the beginning of a line, as in {@code UPDATE … SET}. */
    private static final Pattern ASSIGNMENT = Pattern.compile("(?m)^\\s*(?:SET )?\\w+ = |:=");

    private static final Pattern OPERATOR = Pattern.compile("[=<>+*/|-]+");

    private static final Pattern CALL = Pattern.compile("(?<![\\w.])\\w+\\(");

    private FunctionRules() {}

    /** A line for each finding, with the function's name. */
    static List<String> findings(DSLContext dsl, LanequeueSchema schema) {
        return functions(dsl, schema)
                .flatMap(function -> Stream.concat(
                                openToEverybody(function), Stream.concat(unqualified(function), unpinned(function)))
                        .map(finding -> function.name() + " " + finding))
                .toList();
    }

    static Stream<Function> functions(DSLContext dsl, LanequeueSchema schema) {
        return dsl
                .fetch(
                        "select p.proname, p.prosrc, p.proconfig, has_function_privilege('public', p.oid, 'execute')"
                                + " from pg_proc p join pg_namespace n on n.oid = p.pronamespace"
                                + " where n.nspname = ? order by p.proname",
                        schema.name())
                .stream()
                .map(row -> new Function(
                        row.get(0, String.class),
                        SAFE.matcher(row.get(1, String.class)).replaceAll(""),
                        row.get(2) != null
                                && List.of(row.get(2, String[].class)).contains("search_path=pg_catalog, pg_temp"),
                        row.get(3, boolean.class)));
    }

    private static Stream<String> openToEverybody(Function function) {
        return function.isPublic() ? Stream.of("may be called by everybody") : Stream.of();
    }

    /** Also where the path is pinned: the pinned path does not have the queue's schema. */
    private static Stream<String> unqualified(Function function) {
        return UNQUALIFIED_NAME.matcher(function.code()).results().map(name -> "does not qualify " + name.group());
    }

    private static Stream<String> unpinned(Function function) {
        if (function.isPinned()) {
            return Stream.of();
        }
        String code = ASSIGNMENT.matcher(function.code()).replaceAll("");
        return Stream.concat(
                        OPERATOR.matcher(code).results(), CALL.matcher(code).results())
                .map(name -> "finds on the caller's path: " + name.group());
    }

    /** Its name, its code without prose, whether it runs on a search_path of its own, and whether all may call it. */
    record Function(String name, String code, boolean isPinned, boolean isPublic) {}
}
