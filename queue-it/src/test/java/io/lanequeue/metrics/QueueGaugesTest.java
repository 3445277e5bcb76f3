package io.lanequeue.metrics;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.EffectFailure;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.LaneOutcome;
import io.lanequeue.outbox.LeasedLane;
import io.lanequeue.outbox.OutboxConsumer;
import io.lanequeue.testing.Await;
import io.lanequeue.testing.NumberedEvents;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Sent;
import io.lanequeue.testing.Wiring;
import io.lanequeue.watch.QueueWatch;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** What the gauges show of real queues. */
class QueueGaugesTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final double HOUR_SECONDS = HOUR.toSeconds();

    private final QueueDatabase db = QueueDatabase.of(Wiring.STANDARD);
    private final DSLContext dsl = db.open().dsl();

    @AfterEach
    void resetDatabase() {
        db.reset();
    }

    @Test
    void emptyQueuesShowZeros() {
        assertThat(outbox())
                .containsOnlyKeys(
                        "lanequeue.lag",
                        "lanequeue.lanes backing_off",
                        "lanequeue.lanes blocked",
                        "lanequeue.lanes leased",
                        "lanequeue.lanes ready")
                .allSatisfy((gauge, value) -> assertThat(value).isZero());
        assertThat(effects())
                .containsOnlyKeys(
                        "lanequeue.claim.silence",
                        "lanequeue.effects claimed",
                        "lanequeue.effects failed",
                        "lanequeue.lag",
                        "lanequeue.repos.waiting")
                .allSatisfy((gauge, value) -> assertThat(value).isZero());
    }

    @Test
    void aLaneIsShownInTheStateThatItIsIn() {
        NumberedEvents.append(dsl, 1, 2);
        assertThat(lanes()).isEqualTo(Map.of("lanequeue.lanes ready", 1.0));

        LeasedLane lane = claim();
        assertThat(lanes()).isEqualTo(Map.of("lanequeue.lanes leased", 1.0));

        finish(LaneOutcome.retry(lane, lane.events().get(0).id(), HOUR, "no route"));
        assertThat(lanes()).isEqualTo(Map.of("lanequeue.lanes backing_off", 1.0));

        NumberedEvents.append(dsl, 2, 2);
        LeasedLane other = claim();
        finish(LaneOutcome.block(other, other.events().get(0).id(), "poison"));
        assertThat(lanes()).isEqualTo(Map.of("lanequeue.lanes backing_off", 1.0, "lanequeue.lanes blocked", 1.0));
    }

    @Test
    void theLagOfTheOutboxIsThatOfTheLaneThatIsReadyForLongest() {
        NumberedEvents.append(dsl, 1, 1);
        NumberedEvents.append(dsl, 2, 1);
        dsl.execute("update lanequeue.dispatch_outbox_user_heads set available_at = now() - interval '1 hour'"
                + " where target_user_id = 2");

        assertThat(outbox().get("lanequeue.lag")).isBetween(HOUR_SECONDS, HOUR_SECONDS + 60);
    }

    @Test
    void effectsAreShownWhileTheyWaitAreClaimedAndHaveFailed() {
        new EffectProducer().enqueueAll(dsl, List.of(NewEffect.of("one", "{}"), NewEffect.of("another", "{}")));
        assertThat(effects())
                .containsEntry("lanequeue.repos.waiting", 2.0)
                .containsEntry("lanequeue.effects claimed", 0.0);

        List<ClaimedEffect> claimed = new EffectConsumer().dispatch(dsl, DispatchRequest.by("worker"));
        assertThat(effects())
                .containsEntry("lanequeue.repos.waiting", 0.0)
                .containsEntry("lanequeue.effects claimed", 2.0)
                .containsEntry("lanequeue.effects failed", 0.0);

        new EffectConsumer().fail(dsl, List.of(new EffectFailure(claimed.get(0).claim(), "poison")));
        assertThat(effects())
                .containsEntry("lanequeue.effects claimed", 1.0)
                .containsEntry("lanequeue.effects failed", 1.0);
    }

    @Test
    void theLagAndTheSilenceOfEffectsAreThoseOfTheLongest() {
        new EffectProducer().enqueueAll(dsl, List.of(NewEffect.of("claimed", "{}"), NewEffect.of("waiting", "{}")));
        new EffectConsumer().dispatch(dsl, DispatchRequest.by("worker").withLimit(1));
        dsl.execute("update lanequeue.effect_queue set enqueued_at = now() - interval '1 hour',"
                + " claimed_at = claimed_at - interval '2 hours'");

        assertThat(effects().get("lanequeue.lag")).isBetween(HOUR_SECONDS, HOUR_SECONDS + 60);
        assertThat(effects().get("lanequeue.claim.silence")).isBetween(2 * HOUR_SECONDS, 2 * HOUR_SECONDS + 60);
        assertThat(dsl.fetchCount(EFFECT_QUEUE)).isEqualTo(2);
    }

    @Test
    void allGaugesOfAQueueSendOneStatementHoweverOftenTheyAreRead() {
        var registry = new SimpleMeterRegistry();
        List<Sent> sent = Sent.by(db.source(), context -> {
            new OutboxMeters(QueueWatch.ofOutbox(context).keeping(Duration.ofDays(1))).bindTo(registry);
            values(registry);
            values(registry);
        });
        assertThat(sent).hasSize(1);

        sent = Sent.by(db.source(), context -> {
            new EffectMeters(QueueWatch.ofEffects(context).keeping(Duration.ofDays(1))).bindTo(registry);
            values(registry);
            values(registry);
        });
        assertThat(sent).hasSize(1);
    }

    @Test
    void bindingSendsNothing() {
        assertThat(Sent.by(db.source(), context -> {
                    new OutboxMeters(QueueWatch.ofOutbox(context)).bindTo(new SimpleMeterRegistry());
                    new EffectMeters(QueueWatch.ofEffects(context)).bindTo(new SimpleMeterRegistry());
                }))
                .isEmpty();
    }

    @Test
    void theyGoOnWhereNobodyElseHoldsTheWatch() {
        var registry = new SimpleMeterRegistry();
        new OutboxMeters(QueueWatch.ofOutbox(db.source())).bindTo(registry);
        new EffectMeters(QueueWatch.ofEffects(db.source())).bindTo(registry);
        var garbage = new WeakReference<>(new Object());
        Await.until("garbage is collected", () -> {
            System.gc();
            return garbage.get() == null;
        });

        assertThat(registry.getMeters())
                .hasSize(10)
                .allSatisfy(gauge -> assertThat(((Gauge) gauge).value()).isZero());
    }

    @Test
    void theyShowNoNumberWhileTheDatabaseIsAway() {
        var away = new PGSimpleDataSource();
        away.setPortNumbers(new int[] {1});
        var registry = new SimpleMeterRegistry();
        new OutboxMeters(QueueWatch.ofOutbox(away, db.schema())).bindTo(registry);
        new EffectMeters(QueueWatch.ofEffects(away, db.schema())).bindTo(registry);

        assertThat(registry.getMeters())
                .hasSize(10)
                .allSatisfy(gauge -> assertThat(((Gauge) gauge).value()).isNaN());
    }

    @Test
    void theyHaveTheTagsTheyAreGiven() {
        var registry = new SimpleMeterRegistry();
        Tags tags = Tags.of("schema", "orders");
        new OutboxMeters(QueueWatch.ofOutbox(db.source()), tags).bindTo(registry);
        new EffectMeters(QueueWatch.ofEffects(db.source()), tags).bindTo(registry);

        assertThat(registry.getMeters())
                .hasSize(10)
                .allSatisfy(meter -> assertThat(meter.getId().getTag("schema")).isEqualTo("orders"));
    }

    /** What new gauges show now. */
    private Map<String, Double> outbox() {
        var registry = new SimpleMeterRegistry();
        new OutboxMeters(QueueWatch.ofOutbox(db.source())).bindTo(registry);
        return values(registry);
    }

    /** Of them those of lanes that are not 0. */
    private Map<String, Double> lanes() {
        return outbox().entrySet().stream()
                .filter(gauge -> gauge.getKey().startsWith("lanequeue.lanes") && gauge.getValue() != 0)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private Map<String, Double> effects() {
        var registry = new SimpleMeterRegistry();
        new EffectMeters(QueueWatch.ofEffects(db.source())).bindTo(registry);
        return values(registry);
    }

    /** By name and state. */
    private static Map<String, Double> values(SimpleMeterRegistry registry) {
        Map<String, Double> values = new TreeMap<>();
        for (Meter meter : registry.getMeters()) {
            String state = meter.getId().getTags().stream()
                    .filter(tag -> tag.getKey().equals("state"))
                    .map(Tag::getValue)
                    .map(value -> " " + value)
                    .findAny()
                    .orElse("");
            values.put(meter.getId().getName() + state, ((Gauge) meter).value());
        }
        return values;
    }

    private LeasedLane claim() {
        return new OutboxConsumer()
                .claim(dsl, ClaimRequest.by("worker"))
                .lanes()
                .get(0);
    }

    private void finish(LaneOutcome outcome) {
        new OutboxConsumer().finish(dsl, List.of(outcome));
    }
}
