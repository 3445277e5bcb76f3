package io.lanequeue.watch;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.outbox.LaneTotals;
import io.lanequeue.outbox.OutboxOperator;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.schema.LanequeueSchema;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.NumberedEvents;
import io.lanequeue.testing.QueueFixture;
import io.lanequeue.testing.Sent;
import io.lanequeue.testing.Session;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** A watch on real queues: what it asks, and what it tells when it gets no answer. */
class QueueWatchTest extends QueueFixture {

    private static final Duration KEPT = Duration.ofSeconds(15);

    private final AtomicLong nanos = new AtomicLong();

    @Test
    void readsTheTotalsOfTheQueue() {
        NumberedEvents.append(dsl, 1, 2);
        NumberedEvents.append(dsl, 2, 1);
        new EffectProducer().enqueue(dsl, NewEffect.of("repo", "{}"));

        assertThat(QueueWatch.ofOutbox(db.dataSource(), db.schema())
                        .totals()
                        .orElseThrow()
                        .ready())
                .isEqualTo(2);
        assertThat(QueueWatch.ofEffects(db.dataSource(), db.schema())
                        .totals()
                        .orElseThrow()
                        .waitingRepos())
                .isEqualTo(1);
    }

    @Test
    void sendsOneStatementInItsTimeHoweverOftenItIsAsked() {
        List<Sent> sent = Sent.by(db.source(), context -> {
            QueueWatch<LaneTotals> watch = watch(context, new OutboxOperator()::totals);
            for (int asked = 0; asked < 100; asked++) {
                watch.totals();
            }
            pass(KEPT.minusNanos(1));
            watch.totals();
        });

        assertThat(sent).hasSize(1);
    }

    @Test
    void asksAgainWhenItsTimeIsOver() {
        QueueWatch<LaneTotals> watch = watch(db.source(), new OutboxOperator()::totals);
        assertThat(watch.totals().orElseThrow().ready()).isZero();
        NumberedEvents.append(dsl, 1, 1);
        assertThat(watch.totals().orElseThrow().ready()).isZero();

        pass(KEPT);

        assertThat(watch.totals().orElseThrow().ready()).isEqualTo(1);
    }

    @Test
    void keepsForAsLongAsItIsTold() {
        QueueWatch<LaneTotals> watch =
                watch(db.source(), new OutboxOperator()::totals).keeping(Duration.ofSeconds(2));
        watch.totals();
        NumberedEvents.append(dsl, 1, 1);

        pass(Duration.ofSeconds(2));

        assertThat(watch.totals().orElseThrow().ready()).isEqualTo(1);
    }

    @Test
    void keepsFromAMillisecondToADay() {
        QueueWatch<LaneTotals> watch = QueueWatch.ofOutbox(db.source());

        assertThatThrownBy(() -> watch.keeping(Duration.ZERO)).isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> watch.keeping(Duration.ofDays(1).plusNanos(1)))
                .isInstanceOf(InvalidInputException.class);
    }

    @Test
    void tellsNothingWhileTheDatabaseIsAwayAndThrowsNothing() {
        var away = new PGSimpleDataSource();
        away.setPortNumbers(new int[] {1});

        assertThat(QueueWatch.ofOutbox(away, db.schema()).totals()).isEmpty();
        assertThat(QueueWatch.ofEffects(away, db.schema()).totals()).isEmpty();
    }

    @Test
    void anErrorIsNotThrownEither() {
        QueueWatch<Integer> watch = watch(db.source(), context -> {
            throw new OutOfMemoryError("by the test");
        });

        assertThat(watch.totals()).isEmpty();
        assertThat(watch.read().failure()).contains("by the test");
    }

    @Test
    void tellsNothingWhereTheQueueIsNotMigrated() {
        DSLContext elsewhere = DSL.using(
                db.dataSource(),
                SQLDialect.POSTGRES,
                LanequeueSchema.named("nowhere").settings());

        assertThat(QueueWatch.ofOutbox(elsewhere).read().failure()).contains("migrate");
    }

    @Test
    void givesUpWhereTheAnswerTakesTooLong() {
        Session migration = db.begin(Isolation.READ_COMMITTED);
        migration.dsl().truncate(DISPATCH_OUTBOX_USER_HEADS).execute();
        DSLContext impatient = db.source()
                .configuration()
                .deriveSettings(settings -> settings.withQueryTimeout(1))
                .dsl();

        assertThat(QueueWatch.ofOutbox(impatient).totals()).isEmpty();
        migration.rollback();
    }

    @Test
    void givesUpAfterFiveSecondsUnlessTheContextHasATimeoutOfItsOwn() {
        assertThat(timeoutOf(db.source())).isEqualTo(5);
        assertThat(timeoutOf(db.source()
                        .configuration()
                        .deriveSettings(settings -> settings.withQueryTimeout(30))
                        .dsl()))
                .isEqualTo(30);
    }

    private static Integer timeoutOf(DSLContext source) {
        List<Sent> sent =
                Sent.by(source, context -> QueueWatch.ofOutbox(context).totals());
        return sent.get(0).query().configuration().settings().getQueryTimeout();
    }

    @Test
    void takesNoContextOnAConnectionOfTheCaller() {
        assertThatThrownBy(() -> QueueWatch.ofOutbox(dsl)).isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> QueueWatch.ofEffects(dsl)).isInstanceOf(InvalidInputException.class);
    }

    private <T> QueueWatch<T> watch(DSLContext context, Function<DSLContext, T> question) {
        return new QueueWatch<>(context.configuration(), question, KEPT, nanos::get);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
