package io.lanequeue.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jooq.DSLContext;
import org.jooq.Query;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;

/** Plans of statements, as the server has them. */
public final class Plans {

    /** The server's default. */
    private static final double JIT_ABOVE_COST = 100_000;

    private static final Pattern TOTAL_COST = Pattern.compile("^[^\\n]*cost=[0-9.]+\\.\\.([0-9.]+) ");

    private Plans() {}

    /** The plan of a prepared statement, so that the plan cache mode counts as it does for the driver's. */
    public static String explain(DSLContext dsl, Query query) {
        run(dsl, "prepare planned as " + numbered(dsl, query));
        try {
            return explain(dsl, "planned", query);
        } finally {
            run(dsl, "deallocate planned");
        }
    }

    /** The plan of a statement that the driver has prepared on the server; the server must have planned it often. */
    public static String ofPrepared(DSLContext dsl, Query query) {
        List<String> names = run(
                dsl,
                "select name from pg_prepared_statements where not from_sql and generic_plans + custom_plans > 5"
                        + " and statement = $sql$" + numbered(dsl, query) + "$sql$");
        assertThat(names).as("prepared by the driver: %s", query).hasSize(1);
        return explain(dsl, '"' + names.get(0) + '"', query);
    }

    private static String explain(DSLContext dsl, String prepared, Query query) {
        String arguments = query.getParams().values().stream()
                .filter(parameter -> !parameter.isInline())
                .map(dsl::renderInlined)
                .collect(Collectors.joining(", "));
        String execution = prepared + (arguments.isEmpty() ? "" : "(" + arguments + ")");
        return String.join("\n", run(dsl, "explain execute " + execution));
    }

    private static String numbered(DSLContext dsl, Query query) {
        Settings settings = new Settings().withRenderNamedParamPrefix("$");
        return DSL.using(dsl.configuration().derive(settings)).renderNamedParams(query);
    }

    /** Past jOOQ, which would take the dollars and question marks of a rendered statement for its own. */
    private static List<String> run(DSLContext dsl, String sql) {
        return dsl.connectionResult(connection -> {
            try (Statement statement = connection.createStatement()) {
                List<String> lines = new ArrayList<>();
                if (statement.execute(sql)) {
                    ResultSet rows = statement.getResultSet();
                    while (rows.next()) {
                        lines.add(rows.getString(1));
                    }
                }
                return lines;
            }
        });
    }

    /**
     * These tables are only ever looked up, by an index condition or by place: so there is no scan of a table, and a
     * join hashes or sorts no more than what was looked up.
     */
    public static void assertLooksUp(String plan, Collection<String> tables) {
        assertScansNone(plan, tables);
        String[] lines = plan.split("\n");
        for (int i = 0; i < lines.length; i++) {
            if (lines[i].matches(scan(tables))) {
                assertThat(lines[i + 1])
                        .as("not looked up: %s%n%s", lines[i], plan)
                        .matches(" *(Index|TID|Recheck) Cond: .*");
            }
        }
    }

    /** None of these tables is read as a whole. */
    public static void assertScansNone(String plan, Collection<String> tables) {
        assertThat(plan.lines().filter(line -> line.matches(scan(tables))))
                .as("read as a whole%n%s", plan)
                .noneMatch(line -> line.contains("Seq Scan"));
    }

    /**
     * Does not look so dear to the planner that a server with JIT compiles it ({@code jit_above_cost}): that would
     * happen at each execution, and take many times as long as it.
     */
    public static void assertIsNotCompiled(String plan) {
        Matcher cost = TOTAL_COST.matcher(plan);
        assertThat(cost.find()).as("has a cost:%n%s", plan).isTrue();
        assertThat(Double.parseDouble(cost.group(1))).as("cost of%n%s", plan).isLessThan(JIT_ABOVE_COST);
    }

    /** A line of a plan that reads one of the tables. */
    private static String scan(Collection<String> tables) {
        return ".*Scan .*on (" + String.join("|", tables) + ")\\b.*";
    }
}
