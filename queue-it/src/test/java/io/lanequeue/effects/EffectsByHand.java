package io.lanequeue.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;

import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.RepoId;
import io.lanequeue.testing.Session;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jooq.DSLContext;

/** Changes of the tables that no call of the library makes, and ways round the triggers. */
final class EffectsByHand {

    private EffectsByHand() {}

    static Instant clock(DSLContext dsl) {
        return dsl.fetchSingle("select clock_timestamp()")
                .get(0, OffsetDateTime.class)
                .toInstant();
    }

    /** From now on this session's changes fire no trigger, as those of logical replication. */
    static Session roundTheTriggers(Session session) {
        session.dsl().execute("set session_replication_role = replica");
        return session;
    }

    /** An effect as any SQL client might add it. */
    static EffectId insertBySql(DSLContext dsl, String repo, EffectState state) {
        return dsl.insertInto(EFFECT_QUEUE, EFFECT_QUEUE.REPO_ID, EFFECT_QUEUE.PAYLOAD, EFFECT_QUEUE.STATE)
                .values(new RepoId(repo), "{}", state)
                .returningResult(EFFECT_QUEUE.ID)
                .fetchSingle()
                .value1();
    }

    static void deleteBySql(DSLContext dsl, EffectId effect) {
        dsl.deleteFrom(EFFECT_QUEUE).where(EFFECT_QUEUE.ID.eq(effect)).execute();
    }
}
