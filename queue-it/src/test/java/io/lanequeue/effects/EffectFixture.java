package io.lanequeue.effects;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE_REPO_HEADS;

import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.RepoId;
import io.lanequeue.schema.jooq.tables.records.EffectQueueRecord;
import io.lanequeue.schema.jooq.tables.records.EffectQueueRepoHeadsRecord;
import io.lanequeue.testing.QueueFixture;
import io.lanequeue.testing.Session;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/** The usual calls in few words. */
abstract class EffectFixture extends QueueFixture {

    final EffectProducer producer = new EffectProducer();
    final EffectConsumer consumer = new EffectConsumer();
    final EffectUpkeep upkeep = new EffectUpkeep();

    static RepoId repo(String name) {
        return new RepoId(name);
    }

    EffectId enqueue(DSLContext context, String repo) {
        return producer.enqueue(context, NewEffect.of(repo, "{}")).id();
    }

    List<EffectId> enqueueMany(String repo, int count) {
        return producer
                .enqueueAll(
                        dsl,
                        IntStream.range(0, count)
                                .mapToObj(i -> NewEffect.of(repo, "payload " + i))
                                .toList())
                .stream()
                .map(Enqueued::id)
                .toList();
    }

    List<ClaimedEffect> dispatch(DSLContext context, int limit, int cap) {
        return consumer.dispatch(
                context, DispatchRequest.by("dispatcher").withLimit(limit).withCap(cap));
    }

    List<ClaimedEffect> dispatch(DSLContext context, int limit) {
        return consumer.dispatch(context, DispatchRequest.by("dispatcher").withLimit(limit));
    }

    ClaimedEffect dispatchOne(DSLContext context) {
        List<ClaimedEffect> claimed = dispatch(context, 10);
        if (claimed.size() != 1) {
            throw new AssertionError("One effect was expected, but claimed " + claimed);
        }
        return claimed.get(0);
    }

    static List<EffectId> ids(List<ClaimedEffect> effects) {
        return effects.stream().map(effect -> effect.claim().effect()).toList();
    }

    static List<EffectClaim> claims(List<ClaimedEffect> effects) {
        return effects.stream().map(ClaimedEffect::claim).toList();
    }

    EffectQueueRecord effect(EffectId id) {
        return dsl.fetchSingle(EFFECT_QUEUE, EFFECT_QUEUE.ID.eq(id));
    }

    EffectState stateOf(EffectId id) {
        return effect(id).getState();
    }

    Optional<EffectQueueRepoHeadsRecord> head(String repo) {
        return dsl.fetchOptional(EFFECT_QUEUE_REPO_HEADS, EFFECT_QUEUE_REPO_HEADS.REPO_ID.eq(repo(repo)));
    }

    int inFlight(String repo) {
        return head(repo).map(EffectQueueRepoHeadsRecord::getInFlight).orElse(0);
    }

    /** The entries of the queue's indexes that this session has read in its transaction. */
    static long entriesRead(Session session) {
        return session.dsl()
                .fetchSingle(
                        "select sum(pg_stat_get_xact_tuples_returned(indexrelid))::bigint from pg_index"
                                + " where indrelid = cast({0} as regclass)",
                        DSL.inline(session.dsl().render(EFFECT_QUEUE)))
                .get(0, long.class);
    }
}
