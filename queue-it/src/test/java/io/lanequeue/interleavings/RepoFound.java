package io.lanequeue.interleavings;

import static io.lanequeue.model.Violation.unless;
import static io.lanequeue.schema.jooq.Tables.EFFECT_QUEUE;
import static org.jooq.impl.DSL.currentOffsetDateTime;

import io.lanequeue.effects.EffectAudit;
import io.lanequeue.effects.EffectClaim;
import io.lanequeue.effects.EffectOperator;
import io.lanequeue.effects.RepoDisagreement;
import io.lanequeue.effects.RepoDisagreement.Kind;
import io.lanequeue.interleavings.RepoLedger.Standing;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.RepoId;
import io.lanequeue.schema.jooq.tables.EffectQueue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jooq.DSLContext;

/** What the database holds of a repository. */
record RepoFound(
        Map<EffectId, Standing> effects, List<EffectClaim> claims, int inFlight, List<RepoDisagreement> disagreements)
        implements Report<RepoLedger> {

    private static final EffectQueue EFFECT = EFFECT_QUEUE;

    static RepoFound of(DSLContext dsl, RepoId repo) {
        Map<EffectId, Standing> effects = new TreeMap<>();
        List<EffectClaim> claims = new ArrayList<>();
        dsl.select(EFFECT.ID, EFFECT.STATE, EFFECT.CLAIM_ID, EFFECT.SCHEDULED_AT, currentOffsetDateTime())
                .from(EFFECT)
                .where(EFFECT.REPO_ID.eq(repo))
                .orderBy(EFFECT.ID)
                .forEach(row -> {
                    effects.put(
                            row.value1(),
                            switch (row.value2()) {
                                case SCHEDULED -> due(row.value4(), row.value5().toInstant());
                                case ENQUEUED -> Standing.WAITING;
                                case CLAIMED -> Standing.CLAIMED;
                                case DONE -> Standing.DONE;
                                case FAILED -> Standing.FAILED;
                            });
                    if (row.value3() != null) {
                        claims.add(new EffectClaim(row.value1(), row.value3()));
                    }
                });
        int inFlight = new EffectOperator().counts(dsl, repo, 1).inFlight();
        return new RepoFound(effects, claims, inFlight, new EffectAudit().disagreements(dsl, 10));
    }

    private static Standing due(Instant scheduledAt, Instant now) {
        return scheduledAt.isAfter(now) ? Standing.LATER : Standing.WAITING;
    }

    @Override
    public void enterIn(RepoLedger ledger) {
        unless(effects.equals(ledger.effects()), "there are %s, and by the reports %s", effects, ledger.effects());
        unless(
                claims.equals(List.copyOf(ledger.claims())),
                "the claims are %s, and by the reports %s",
                claims,
                ledger.claims());
        unless(
                inFlight == ledger.claims().size(),
                "%s are in flight, and by the reports %s",
                inFlight,
                ledger.claims());
        unless(
                disagreements.stream().allMatch(disagreement -> disagreement.kind() == Kind.EMPTY_REPO),
                "the audit finds %s",
                disagreements);
    }
}
