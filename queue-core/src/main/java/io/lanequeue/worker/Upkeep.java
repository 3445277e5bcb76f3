package io.lanequeue.worker;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.val;

import io.lanequeue.StatementFailedException;
import io.lanequeue.effects.Backoff;
import io.lanequeue.effects.EffectUpkeep;
import io.lanequeue.effects.StaleReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes effects back from workers that are silent, and deletes what ended long ago. Every worker tries, now and then;
 * in each step the one that gets an advisory lock does it, for as long as its transaction runs, and the others go on
 * with their work. So it is done once, and there is nobody whose death would stop it.
 */
final class Upkeep implements Chores {

    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);
    private static final int BATCH = 1_000;

    private final EffectUpkeep upkeep = new EffectUpkeep();
    private final UpkeepPlan plan;
    private final int maxAttempts;
    private final Transactions transactions;
    private final Audience audience;
    private final Backoff interval;
    private final List<Function<DSLContext, Integer>> prunings = List.of(this::pruneDone, this::pruneFailed);
    private long next;

    Upkeep(UpkeepPlan plan, int maxAttempts, Transactions transactions, Audience audience) {
        this.plan = plan;
        this.maxAttempts = maxAttempts;
        this.transactions = transactions;
        this.audience = audience;
        // A stale claim comes back after another third of the time at most.
        Duration third = plan.staleAfter().dividedBy(3);
        this.interval = new Backoff(third, third);
    }

    @Override
    public long next() {
        return next;
    }

    @Override
    public void run(long now) {
        Optional<StaleReport> stale = alone(this::requeueStale);
        stale.ifPresent(this::tell); // not before the commit: until then nothing has happened
        boolean thereIsMore = stale.filter(report -> report.taken() == BATCH).isPresent();
        for (Function<DSLContext, Integer> step : prunings) {
            thereIsMore |= alone(step).filter(pruned -> pruned == BATCH).isPresent();
        }
        // After the steps: one that the database does not answer stays due, and is what it has to answer to be back.
        // Where there is more it is the turn of the claims first.
        next = thereIsMore
                ? now
                : now + interval.after(1, ThreadLocalRandom.current()).toNanos();
    }

    /** What became of the step; empty where another worker is at it, or it was held up or refused. */
    private <R> Optional<R> alone(Function<DSLContext, R> step) {
        try {
            return transactions.patiently(
                    Transactions.PATIENCE,
                    transaction -> isMine(transaction) ? Optional.of(step.apply(transaction)) : Optional.empty());
        } catch (HeldUpException e) {
            LOG.debug("Upkeep of the effect queue is held up by somebody's transaction; next time, then", e);
            return Optional.empty();
        } catch (StatementFailedException e) {
            LOG.warn("Upkeep of the effect queue failed, perhaps for want of a right; the worker goes on", e);
            return Optional.empty();
        }
    }

    /** Whether no other worker is at it; held until the transaction ends. One lock for each queue of the database. */
    private static boolean isMine(DSLContext transaction) {
        Field<Long> key = function(
                name("hashtextextended"),
                SQLDataType.BIGINT,
                val("lanequeue upkeep of " + transaction.render(EFFECT_QUEUE)),
                inline(0L));
        return transaction
                .select(function(name("pg_try_advisory_xact_lock"), SQLDataType.BOOLEAN, key))
                .fetchSingle()
                .value1();
    }

    private StaleReport requeueStale(DSLContext transaction) {
        return upkeep.requeueStale(transaction, plan.staleAfter(), maxAttempts, BATCH);
    }

    private void tell(StaleReport report) {
        if (report.taken() > 0) {
            LOG.info(
                    "Took {} effects back from workers that were silent for {}; {} of them had used up their attempts",
                    report.taken(),
                    plan.staleAfter(),
                    report.failed().size());
            audience.tell(events -> events.requeued(report.taken()));
        }
    }

    private int pruneDone(DSLContext transaction) {
        return upkeep.pruneDone(transaction, plan.keepDone(), BATCH);
    }

    private int pruneFailed(DSLContext transaction) {
        Duration age = plan.keepFailed();
        return age == null ? 0 : upkeep.pruneFailed(transaction, age, BATCH);
    }
}
