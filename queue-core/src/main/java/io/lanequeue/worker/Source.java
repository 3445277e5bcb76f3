package io.lanequeue.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jooq.DSLContext;

/**
 * A queue as the coordinator sees it. Each call runs in a transaction of its own, and may be called again where that
 * had to give way; a claim, which remembers where the last one ended, runs its own. For the coordinator's thread.
 */
interface Source<T extends Held> {

    /**
     * Claims no more than the limit.
     *
     * @throws HeldUpException if it waited for a lock in vain
     */
    Claimed<T> claim(Transactions transactions, int limit);

    /** For how long a claim and an extension hold. */
    Duration lease();

    /** Lets all these be held for the lease from now on; those that are lost. */
    Set<T> extend(DSLContext transaction, List<T> held);

    /** The outcomes apart, such that each part is one statement. */
    Collection<List<T>> statements(Collection<T> ended);

    /** Reports what became of one of these parts. */
    Map<T, Settlement> report(DSLContext transaction, List<T> ended);

    /** How long until something may be claimed; 0 if now, nothing if that is not foreseeable. */
    Optional<Duration> untilDue(DSLContext transaction);

    /** What a claim returned. */
    record Claimed<T>(List<T> items, Found found) {}

    /** Whether it makes sense to claim again at once. */
    enum Found {
        SOMETHING,
        NOTHING
    }
}
