package io.lanequeue.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.effects.EffectOperator;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.outbox.OutboxOperator;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.NumberedEvents;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Session;
import io.lanequeue.testing.Touched;
import io.lanequeue.testing.Touched.Touches;
import io.lanequeue.testing.Wiring;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a watch reads of a backlog, as the server counts it. */
class WatchCostTest {

    private static final int MANY = 1_000;
    private static final Touches NOTHING = new Touches(0, 0, 0);

    private final QueueDatabase db = QueueDatabase.of(Wiring.STANDARD);

    @AfterEach
    void resetDatabase() {
        db.reset();
    }

    @Test
    void touchesNoEventHoweverManyWait() {
        NumberedEvents.append(db.open().dsl(), 17, MANY);
        Session session = db.begin(Isolation.READ_COMMITTED);
        Touched before = Touched.by(session);

        read(session, new OutboxOperator()::totals);

        assertThat(Touched.by(session).since(before).of("dispatch_outbox")).isEqualTo(NOTHING);
    }

    @Test
    void looksAtOneEffectOfARepositoryHoweverManyWait() {
        new EffectProducer()
                .enqueueAll(
                        db.open().dsl(),
                        IntStream.range(0, MANY)
                                .mapToObj(i -> NewEffect.of("repo", "{}"))
                                .toList());
        Session session = db.begin(Isolation.READ_COMMITTED);
        Touched before = Touched.by(session);

        read(session, context -> new EffectOperator().totals(context, 10));

        Touches touched = Touched.by(session).since(before).of("effect_queue");
        assertThat(touched.scans()).isZero();
        assertThat(touched.rows()).isEqualTo(1);
    }

    private static <T> void read(Session session, Function<DSLContext, T> question) {
        var watch = new QueueWatch<>(session.dsl().configuration(), question, Duration.ofSeconds(15), () -> 0);
        assertThat(watch.totals()).isPresent();
    }
}
