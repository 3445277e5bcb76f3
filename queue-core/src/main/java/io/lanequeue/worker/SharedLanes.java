package io.lanequeue.worker;

import io.lanequeue.outbox.LogicalShards;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jooq.DSLContext;

/**
 * The outbox as one of several workers sees it that split it: its own share, and every few seconds all of it. For a
 * member may stand still and keep its share, or a share be nobody's for a moment. As long as there is something beyond
 * its share, a worker with nothing to do there helps.
 */
final class SharedLanes implements Source<HeldLane> {

    private static final Duration BETWEEN_LOOKS_AT_ALL = Duration.ofSeconds(5);

    private final Supplier<LogicalShards> share;
    private final Function<LogicalShards, Lanes> lanesOf;
    private final Timing timing;
    private final Lanes all;
    private LogicalShards ownShards = LogicalShards.all();
    private Lanes own;
    private Found amongAll = Found.NOTHING;
    private long nextLookAtAll;

    /**
     * @param share the worker's own shards, which may be others at each call
     * @param lanesOf the lanes of a set of shards, with a window of their own
     */
    SharedLanes(Supplier<LogicalShards> share, Function<LogicalShards, Lanes> lanesOf, Timing timing) {
        this.share = share;
        this.lanesOf = lanesOf;
        this.timing = timing;
        this.all = lanesOf.apply(LogicalShards.all());
        this.own = all;
        this.nextLookAtAll = timing.nanos() + BETWEEN_LOOKS_AT_ALL.toNanos();
    }

    @Override
    public Claimed<HeldLane> claim(Transactions transactions, int limit) {
        if (own() == all || isLookAtAllDue()) {
            return claimOfAll(transactions, limit);
        }
        Claimed<HeldLane> claimed = own().claim(transactions, limit);
        return claimed.found() == Found.NOTHING && amongAll == Found.SOMETHING
                ? claimOfAll(transactions, limit)
                : claimed;
    }

    private Claimed<HeldLane> claimOfAll(Transactions transactions, int limit) {
        Claimed<HeldLane> claimed = all.claim(transactions, limit);
        nextLookAtAll = timing.nanos() + BETWEEN_LOOKS_AT_ALL.toNanos();
        amongAll = claimed.found();
        return claimed;
    }

    private boolean isLookAtAllDue() {
        return timing.nanos() >= nextLookAtAll;
    }

    private Lanes own() {
        LogicalShards shards = share.get();
        if (!shards.equals(ownShards)) {
            ownShards = shards;
            own = shards.areAll() ? all : lanesOf.apply(shards);
        }
        return own;
    }

    @Override
    public Optional<Duration> untilDue(DSLContext transaction) {
        return (isLookAtAllDue() ? all : own()).untilDue(transaction);
    }

    @Override
    public Duration lease() {
        return all.lease();
    }

    @Override
    public Set<HeldLane> extend(DSLContext transaction, List<HeldLane> held) {
        return all.extend(transaction, held);
    }

    @Override
    public Collection<List<HeldLane>> statements(Collection<HeldLane> ended) {
        return all.statements(ended);
    }

    @Override
    public Map<HeldLane, Settlement> report(DSLContext transaction, List<HeldLane> ended) {
        return all.report(transaction, ended);
    }
}
