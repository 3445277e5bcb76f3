package io.lanequeue.faults;

import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static java.util.stream.Collectors.toSet;

import io.lanequeue.effects.Enqueued;
import io.lanequeue.effects.NewEffect;
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
final class EffectLedger implements Client.Promises<List<EffectLedger.Answer>> {

    private final Set<EffectId> acknowledged = ConcurrentHashMap.newKeySet();
    private final List<Set<Sent>> inDoubt = new CopyOnWriteArrayList<>();
    private final Map<EffectId, Integer> handled = new ConcurrentHashMap<>();

    /** What a producer was told of an effect that it sent. */
    record Answer(NewEffect effect, Enqueued enqueued) {}

    /**
     * An effect that a producer sent. Its id alone does not name it: a server that is killed may give an id again,
     * where the transaction that had it did not come about.
     */
    private record Sent(EffectId id, String payload) {

        static Sent of(Answer answer) {
            return new Sent(answer.enqueued().id(), answer.effect().payload());
        }

        static Sent of(EffectQueueRecord row) {
            return new Sent(row.getId(), row.getPayload());
        }

        @Override
        public String toString() {
            return id.toString();
        }
    }

    @Override
    public void acknowledged(List<Answer> effects) {
        effects.forEach(effect -> acknowledged.add(effect.enqueued().id()));
    }

    @Override
    public void inDoubt(List<Answer> effects) {
        inDoubt.add(effects.stream()
                .filter(effect -> effect.enqueued().status() == Enqueued.Status.ADDED)
                .map(Sent::of)
                .collect(toSet()));
    }

    void handled(EffectId effect) {
        handled.merge(effect, 1, Integer::sum);
    }

    /** What is wrong when every effect should be done. None has been pruned. */
    List<String> violations(DSLContext dsl) {
        Map<EffectId, EffectQueueRecord> rows = dsl.selectFrom(EFFECT_QUEUE).fetchMap(EFFECT_QUEUE.ID);
        Set<Sent> arrived = rows.values().stream().map(Sent::of).collect(toSet());
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
                                .filter(effects -> effects.stream().anyMatch(arrived::contains))
                                .filter(effects -> !arrived.containsAll(effects))
                                .map(effects -> "half of a transaction: " + effects))
                .flatMap(found -> found)
                .toList();
    }

    private boolean wasEnqueued(EffectId effect) {
        return acknowledged.contains(effect)
                || inDoubt.stream()
                        .flatMap(Set::stream)
                        .anyMatch(sent -> sent.id().equals(effect));
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
