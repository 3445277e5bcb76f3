package io.lanequeue.worker;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;

import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectClaim;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.EffectFailure;
import io.lanequeue.effects.EffectReport;
import io.lanequeue.effects.EffectRetry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jooq.DSLContext;

/** The effect queue as the coordinator sees it. */
final class Effects implements Source<HeldEffect> {

    private final EffectConsumer consumer = new EffectConsumer();
    private final DispatchRequest request;
    private final Duration staleAfter;
    private final Function<ClaimedEffect, HeldEffect> hold;

    Effects(DispatchRequest request, Duration staleAfter, Function<ClaimedEffect, HeldEffect> hold) {
        this.request = request;
        this.staleAfter = staleAfter;
        this.hold = hold;
    }

    @Override
    public Claimed<HeldEffect> claim(Transactions transactions, int limit) {
        List<HeldEffect> claimed = transactions
                .patiently(
                        Transactions.PATIENCE, transaction -> consumer.dispatch(transaction, request.withLimit(limit)))
                .stream()
                .map(hold)
                .toList();
        return new Claimed<>(claimed, claimed.isEmpty() ? Found.NOTHING : Found.SOMETHING);
    }

    /** A claim has no end of its own: it holds until upkeep, of whichever worker, finds it stale. */
    @Override
    public Duration lease() {
        return staleAfter;
    }

    @Override
    public Set<HeldEffect> extend(DSLContext transaction, List<HeldEffect> held) {
        Map<EffectClaim, Instant> extended = consumer.extend(transaction, claims(held));
        return held.stream()
                .filter(effect -> !extended.containsKey(effect.effect().claim()))
                .collect(toSet());
    }

    @Override
    public Collection<List<HeldEffect>> statements(Collection<HeldEffect> ended) {
        return ended.stream()
                .collect(groupingBy(effect -> effect.verdict().ending()))
                .values();
    }

    @Override
    public Map<HeldEffect, Settlement> report(DSLContext transaction, List<HeldEffect> ended) {
        List<EffectReport> reports = send(transaction, ended.get(0).verdict().ending(), ended);
        Map<HeldEffect, Settlement> settlements = new LinkedHashMap<>();
        for (int i = 0; i < ended.size(); i++) {
            settlements.put(ended.get(i), settlement(ended.get(i), reports.get(i)));
        }
        return settlements;
    }

    private List<EffectReport> send(DSLContext transaction, Ending ending, List<HeldEffect> ended) {
        return switch (ending) {
            case DELIVERED -> consumer.complete(transaction, claims(ended));
            case FAILED ->
                consumer.retry(
                        transaction,
                        ended.stream()
                                .map(effect -> new EffectRetry(
                                        effect.effect().claim(),
                                        effect.verdict().delay(),
                                        effect.verdict().error()))
                                .toList());
            case GIVEN_UP ->
                consumer.fail(
                        transaction,
                        ended.stream()
                                .map(effect -> new EffectFailure(
                                        effect.effect().claim(),
                                        effect.verdict().error()))
                                .toList());
            case RELEASED, LOST -> consumer.release(transaction, claims(ended));
        };
    }

    private static Settlement settlement(HeldEffect effect, EffectReport report) {
        Ending ending = switch (report.status()) {
            case APPLIED -> effect.verdict().ending();
            case SUPERSEDED -> Ending.RELEASED;
            case CLAIM_LOST -> Ending.LOST;
        };
        return new Settlement(ending, ending == Ending.DELIVERED ? 1 : 0);
    }

    private static List<EffectClaim> claims(List<HeldEffect> held) {
        return held.stream().map(effect -> effect.effect().claim()).toList();
    }

    @Override
    public Optional<Duration> untilDue(DSLContext transaction) {
        return consumer.untilDue(transaction, request);
    }
}
