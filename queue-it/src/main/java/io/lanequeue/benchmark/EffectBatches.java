package io.lanequeue.benchmark;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.name;

import io.lanequeue.CallAgainException;
import io.lanequeue.benchmark.baseline.BatchConsumer;
import io.lanequeue.command.Again;
import io.lanequeue.command.Session;
import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectClaim;
import io.lanequeue.effects.EffectConsumer;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jooq.impl.SQLDataType;

/** A worker of the effect queue, through the library. */
final class EffectBatches implements BatchConsumer {

    private final EffectConsumer consumer = new EffectConsumer();
    private final Session session;
    private final DispatchRequest request;
    private List<ClaimedEffect> effects = List.of();

    EffectBatches(Session session, DispatchRequest request) {
        this.session = session;
        this.request = request;
    }

    @Override
    public int claim() {
        try {
            effects = consumer.dispatch(session.dsl(), request);
        } catch (CallAgainException e) {
            effects = List.of();
        }
        return effects.size();
    }

    /** What the last claim got. */
    List<ClaimedEffect> claimed() {
        return effects;
    }

    @Override
    public void complete() {
        Again.call(() -> consumer.complete(session.dsl(), claims()));
    }

    @Override
    public void release() {
        consumer.release(session.dsl(), claims());
    }

    /** The time by the database's clock. */
    Instant now() {
        return session.dsl()
                .select(function(name("clock_timestamp"), SQLDataType.TIMESTAMPWITHTIMEZONE))
                .fetchSingle()
                .value1()
                .toInstant();
    }

    private List<EffectClaim> claims() {
        return effects.stream().map(ClaimedEffect::claim).toList();
    }

    @Override
    public void close() throws SQLException {
        session.close();
    }
}
