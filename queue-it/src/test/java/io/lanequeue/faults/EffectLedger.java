package io.lanequeue.faults;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static java.util.stream.Collectors.toSet;

import io.lanequeue.effects.Enqueued;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.EffectState;
import io.lanequeue.schema.jooq.tables.records.EffectQueueRecord;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jooq.DSLContext;

/**
 * What producers of effects were told and what handlers saw, kept outside of the database, and what is wrong with it.
 * Thread-safe.
 */
final class EffectLedger implements Client.Promises<List<Enqueued>> {

    private final Set<EffectId> acknowledged = ConcurrentHashMap.newKeySet();
    private final List<Set<EffectId>> inDoubt = new CopyOnWriteArrayList<>();
    private final Map<EffectId, Integer> handled = new ConcurrentHashMap<>();

    @Override
    public void acknowledged(List<Enqueued> effects) {
        effects.forEach(effect -> acknowledged.add(effect.id()));
    }

    @Override
    public void inDoubt(List<Enqueued> effects) {
        inDoubt.add(effects.stream()
                .filter(effect -> effect.status() == Enqueued.Status.ADDED)
                .map(Enqueued::id)
                .collect(toSet()));
    }

    void handled(EffectId effect) {
        handled.merge(effect, 1, Integer::sum);
    }

    /** What is wrong when every effect should be done. None has been pruned. */
    List<String> violations(DSLContext dsl) {
        Map<EffectId, EffectQueueRecord> rows = dsl.selectFrom(EFFECT_QUEUE).fetchMap(EFFECT_QUEUE.ID);
        return Stream.of(
                        rows.values().stream()
                                .filter(row -> row.getState() != EffectState.DONE)
                                .map(row -> "stranded: " + row.getId()),
                        acknowledged.stream()
                                .filter(effect -> !rows.containsKey(effect))
                                .map(effect -> "lost: " + effect),
                        rows.values().stream()
                                .filter(row -> row.getState() == EffectState.DONE
                                        && !handled.containsKey(row.getId())
                                        && !isSuperseded(row))
                                .map(row -> "done by nobody: " + row.getId()),
                        Stream.concat(rows.keySet().stream(), handled.keySet().stream())
                                .filter(effect -> !wasEnqueued(effect))
                                .map(effect -> "never enqueued: " + effect),
                        inDoubt.stream()
                                .filter(effects -> effects.stream().anyMatch(rows::containsKey))
                                .filter(effects -> !rows.keySet().containsAll(effects))
                                .map(effects -> "half of a transaction: " + effects))
                .flatMap(found -> found)
                .toList();
    }

    private boolean wasEnqueued(EffectId effect) {
        return acknowledged.contains(effect) || inDoubt.stream().anyMatch(effects -> effects.contains(effect));
    }

    private static boolean isSuperseded(EffectQueueRecord row) {
        return row.getLastError() != null && row.getLastError().startsWith("superseded");
    }

    @Override
    public String toString() {
        return acknowledged.size() + " effects enqueued, " + inDoubt.size() + " transactions in doubt, "
                + handled.values().stream().mapToInt(Integer::intValue).sum() + " runs";
    }
}
