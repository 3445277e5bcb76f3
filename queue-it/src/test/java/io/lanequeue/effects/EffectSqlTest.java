package io.lanequeue.effects;

import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import io.lanequeue.testing.SqlContract;
import java.io.IOException;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;

/** What each call sends, kept as SQL. */
class EffectSqlTest extends SqlContract {

    static Stream<EffectOperation> calls() {
        return Stream.of(EffectOperation.values());
    }

    /** No operation of one session alone comes to this. */
    @Test
    void sendsWhatIsKeptWhereOthersHoldWhatItLooksAt() throws IOException {
        var producer = new EffectProducer();
        NewEffect keyed = NewEffect.of("repo", "x").withDedupeKey("k");
        DSLContext dsl = db.open().dsl();
        producer.enqueue(dsl, keyed);
        Session holding = db.begin(Isolation.READ_COMMITTED);
        producer.enqueue(holding.dsl(), keyed);

        assertThatItSendsWhatIsKept(
                "dispatch_past_what_others_hold",
                dsl,
                context -> new EffectConsumer().dispatch(context, DispatchRequest.by("worker")));
    }
}
