package io.lanequeue.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Query;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;

/** Plans of statements, as the server has them. */
public final class Plans {

    private Plans() {}

    /** The plan of a prepared statement, so that the plan cache mode counts as it does for the driver's. */
    public static String explain(DSLContext dsl, Query query) {
        DSLContext numbered = DSL.using(dsl.configuration().derive(new Settings().withRenderNamedParamPrefix("$")));
        List<String> arguments = query.getParams().values().stream()
                .filter(parameter -> !parameter.isInline())
                .map(dsl::renderInlined)
                .toList();
        String planned = arguments.isEmpty() ? "planned" : "planned(" + String.join(", ", arguments) + ")";
        run(dsl, "prepare planned as " + numbered.renderNamedParams(query));
        try {
            return String.join("\n", run(dsl, "explain execute " + planned));
        } finally {
            run(dsl, "deallocate planned");
        }
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
     * The tables of these names are only ever looked up, by an index condition or by place: so there is no scan of a
     * table, and a join hashes or sorts no more than what was looked up.
     */
    public static void assertLooksUp(String plan, String tables) {
        String[] lines = plan.split("\n");
        for (int i = 0; i < lines.length; i++) {
            if (lines[i].matches(".*Scan .*on (" + tables + ").*")) {
                assertThat(lines[i]).as(plan).doesNotContain("Seq Scan");
                assertThat(lines[i + 1]).as(plan).matches(" *(Index|TID|Recheck) Cond: .*");
            }
        }
    }
}
