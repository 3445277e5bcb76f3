package io.lanequeue.watch;

import io.lanequeue.effects.EffectOperator;
import io.lanequeue.effects.EffectTotals;
import io.lanequeue.internal.Database;
import io.lanequeue.internal.Inputs;
import io.lanequeue.outbox.LaneTotals;
import io.lanequeue.outbox.OutboxOperator;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.schema.LanequeueSchema;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * The totals of a queue as they were last read. However often and by whomever it is asked, it asks the database once in
 * 15 seconds, with one statement on a connection that it takes from the source and gives back; a database that does not
 * answer is asked no more often. Thread-safe, and never waits for another thread: while one asks, the others are told
 * the last totals, or nothing once these are twice as old as they may be.
 *
 * <p>It gives up a statement after five seconds, unless the context's settings have a query timeout of their own. Give
 * the source's connections a socket timeout for the rest.
 *
 * @param <T> what is read
 */
public final class QueueWatch<T> {

    /** So many failed effects are counted, since more of them tell no more. */
    public static final int MOST_FAILED = EffectOperator.MAX_BATCH;

    private static final Duration KEPT = Duration.ofSeconds(15);
    private static final int TIMEOUT_SECONDS = 5;

    private final Configuration source;
    private final Function<DSLContext, T> question;
    private final Duration kept;
    private final LongSupplier nanos;
    private final Lock asking = new ReentrantLock();
    private final AtomicReference<@Nullable Reading<T>> last = new AtomicReference<>();

    QueueWatch(Configuration source, Function<DSLContext, T> question, Duration kept, LongSupplier nanos) {
        this.source = source;
        this.question = question;
        this.kept = kept;
        this.nanos = nanos;
    }

    /**
     * A watch over the lanes of the outbox: {@link OutboxOperator#totals}.
     *
     * @param dsl a context on a {@code DataSource} or pool, with the schema's settings
     * @throws InvalidInputException for a context on one connection, which threads would share
     */
    public static QueueWatch<LaneTotals> ofOutbox(DSLContext dsl) {
        return on(dsl, new OutboxOperator()::totals);
    }

    /** As {@link #ofOutbox(DSLContext)}, without a context. */
    public static QueueWatch<LaneTotals> ofOutbox(DataSource dataSource, LanequeueSchema schema) {
        return ofOutbox(DSL.using(dataSource, SQLDialect.POSTGRES, schema.settings()));
    }

    /**
     * A watch over the effect queue: {@link EffectOperator#totals}, with up to {@value #MOST_FAILED} failed effects.
     *
     * @param dsl a context on a {@code DataSource} or pool, with the schema's settings
     * @throws InvalidInputException for a context on one connection, which threads would share
     */
    public static QueueWatch<EffectTotals> ofEffects(DSLContext dsl) {
        return on(dsl, context -> new EffectOperator().totals(context, MOST_FAILED));
    }

    /** As {@link #ofEffects(DSLContext)}, without a context. */
    public static QueueWatch<EffectTotals> ofEffects(DataSource dataSource, LanequeueSchema schema) {
        return ofEffects(DSL.using(dataSource, SQLDialect.POSTGRES, schema.settings()));
    }

    private static <T> QueueWatch<T> on(DSLContext dsl, Function<DSLContext, T> question) {
        Configuration source = Inputs.source("context of a watch", dsl, "threads would share a connection of yours");
        return new QueueWatch<>(source.deriveSettings(QueueWatch::givingUp), question, KEPT, new SystemNanos());
    }

    private static Settings givingUp(Settings settings) {
        Integer timeout = settings.getQueryTimeout();
        return timeout != null && timeout > 0 ? settings : settings.withQueryTimeout(TIMEOUT_SECONDS);
    }

    /** A new watch over the same, which asks the database once in that time, 1 millisecond to 1 day. */
    public QueueWatch<T> keeping(Duration time) {
        Inputs.duration("time that totals are kept", time, Duration.ofMillis(1), Duration.ofDays(1));
        return new QueueWatch<>(source, question, time, nanos);
    }

    /** The last totals; none if the database did not tell when it was asked last. */
    public Optional<T> totals() {
        return Optional.ofNullable(read().totals());
    }

    Reading<T> read() {
        Reading<T> known = last.get();
        if (known != null && known.isYoungerThan(kept.toNanos(), nanos.getAsLong())) {
            return known;
        }
        if (!asking.tryLock()) {
            return whileAnotherAsks(known);
        }
        try {
            return askUnlessAnotherHas();
        } finally {
            asking.unlock();
        }
    }

    private Reading<T> whileAnotherAsks(@Nullable Reading<T> known) {
        long now = nanos.getAsLong();
        return known != null && known.isYoungerThan(2 * kept.toNanos(), now)
                ? known
                : Reading.failed(now, "The database has been asked and has not answered yet");
    }

    private Reading<T> askUnlessAnotherHas() {
        Reading<T> known = last.get();
        if (known != null && known.isYoungerThan(kept.toNanos(), nanos.getAsLong())) {
            return known;
        }
        Reading<T> reading = ask();
        last.set(reading);
        return reading;
    }

    private Reading<T> ask() {
        try {
            T totals = Database.call(() -> question.apply(source.dsl()));
            return Reading.of(nanos.getAsLong(), totals);
        } catch (RuntimeException | Error e) {
            // Whatever it is: who is asked for a figure, or for the health, must not fail with the database.
            return Reading.failed(nanos.getAsLong(), "The totals cannot be read: " + e.getMessage());
        }
    }
}
