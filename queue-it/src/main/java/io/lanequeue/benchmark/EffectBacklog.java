package io.lanequeue.benchmark;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.jooq.impl.DSL.concat;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.generateSeries;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import io.lanequeue.benchmark.baseline.Payload;
import io.lanequeue.command.Session;
import io.lanequeue.schema.EffectState;
import java.sql.SQLException;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/** Puts effects into the queue, by the million. */
final class EffectBacklog {

    private static final Field<Integer> NUMBER = field(name("n"), SQLDataType.INTEGER);

    private EffectBacklog() {}

    /** Adds effects of one repository. */
    static void fill(ScratchDatabase database, String repo, int effects) throws SQLException {
        fill(database, val(repo), effects);
    }

    /** Adds effects of repositories that are named by their number, one of each in turn. */
    static void fill(ScratchDatabase database, String prefix, int repos, int perRepo) throws SQLException {
        fill(database, concat(val(prefix), NUMBER.mod(repos).cast(SQLDataType.VARCHAR)), repos * perRepo);
    }

    private static void fill(ScratchDatabase database, Field<String> repo, int effects) throws SQLException {
        try (Session session = database.connect()) {
            session.dsl()
                    .insertInto(EFFECT_QUEUE, EFFECT_QUEUE.REPO_ID, EFFECT_QUEUE.PAYLOAD, EFFECT_QUEUE.STATE)
                    .select(select(
                                    repo.coerce(EFFECT_QUEUE.REPO_ID),
                                    val(Payload.of(0)),
                                    inline(EffectState.ENQUEUED, EFFECT_QUEUE.STATE))
                            .from(generateSeries(0, effects - 1).as("g", "n")))
                    .execute();
        }
    }
}
