package io.lanequeue.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectClaim;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.effects.EffectOperator;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.Enqueued;
import io.lanequeue.effects.NewEffect;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The ledger calls nothing a loss that is none, and finds each kind that is planted. */
class EffectLedgerTest extends SoakFixture {

    private final EffectProducer producer = new EffectProducer();
    private final EffectConsumer consumer = new EffectConsumer();

    @Test
    void nothingIsLostByWorkersThatRunBeforeTheyReport() throws InterruptedException {
        enqueue(3 * Plan.CAP);

        drain(Plan.CAP);

        close();
        assertLosses();
        assertThat(books.happenings().of(Happening.RUN)).isEqualTo(3 * Plan.CAP);
    }

    @Test
    void aWorkerMayTellOfItsClaimWhenItHasLostIt() {
        enqueue(1);
        List<ClaimedEffect> lost = claim();
        List<EffectClaim> known =
                books.effects().taking(List.of(lost.get(0).claim().effect()), NewestClaim.of(dsl));
        makeClaimable();
        books.effects().taken(known);
        List<ClaimedEffect> next = claim();

        books.effects().claimed(lost);
        books.effects().claimed(next);

        report(lost);
        assertLosses();
        assertThat(books.happenings().of(Happening.CLAIM_LOST)).isOne();
    }

    @Test
    void findsThatAWorkerReportedBeforeItRan() {
        enqueue(2);
        report(claimAndTell());

        close();
        assertLosses(Loss.DONE_WITHOUT_RUN, Loss.DONE_WITHOUT_RUN);
    }

    @Test
    void findsThatAnEffectVanished() {
        enqueue(1);
        dsl.execute("delete from lanequeue.effect_queue");

        close();
        assertLosses(Loss.EFFECT_LOST);
    }

    @Test
    void findsThatTheInsertTriggerWasOffForAMoment() throws InterruptedException {
        withoutTrigger("effect_queue", "effect_queue_insert_repo_heads", () -> enqueue(1));
        new Invariants(Plan.CAP, books.losses()::add).check(dsl);
        drain(Plan.CAP);

        close();
        assertLosses(Loss.EFFECT_LEFT, Loss.REPO_HEAD_WRONG);
    }

    @Test
    void findsARunOfWhatDidNotCommit() throws InterruptedException {
        producer.enqueue(dsl, NewEffect.of("repo", "{}"));

        drain(Plan.CAP);

        close();
        assertLosses(Loss.EFFECT_UNKNOWN);
    }

    @Test
    void findsByWhatRunsThatAWorkerIgnoresTheCap() throws InterruptedException {
        enqueue(Plan.CAP + 2);

        drain(DispatchRequest.NO_CAP);

        close();
        assertLosses(Loss.CAP_PASSED, Loss.CAP_PASSED);
    }

    @Test
    void findsByWhatIsClaimedThatAWorkerIgnoresTheCap() {
        enqueue(Plan.CAP + 1);
        consumer.dispatch(dsl, DispatchRequest.by("not one of the soak's"));

        new Invariants(Plan.CAP, books.losses()::add).check(dsl);

        // By the effects, and by the head.
        assertLosses(Loss.CAP_PASSED, Loss.CAP_PASSED);
    }

    @Test
    void findsThatAnEffectWasHandedOutWhileAnotherClaimHeld() {
        enqueue(1);
        claimAndTell();
        makeClaimable();

        claimAndTell();

        assertLosses(Loss.EFFECT_HELD_TWICE);
    }

    @Test
    void findsThatAReportCountedUnderALostClaim() {
        enqueue(1);
        List<ClaimedEffect> lost = claimAndTell();
        makeClaimable();
        claimAndTell();
        dsl.execute(
                "update lanequeue.effect_queue set claim_id = ?",
                lost.get(0).claim().id().value());

        report(lost);

        assertLosses(Loss.EFFECT_HELD_TWICE, Loss.REPORTED_UNDER_LOST_CLAIM);
    }

    /** The database forgets that the effects are claimed. */
    private void makeClaimable() {
        dsl.execute("update lanequeue.effect_queue set state = 'enqueued'");
    }

    /** Effects of one repository, of which the ledger is told. */
    private void enqueue(int number) {
        List<NewEffect> effects = Collections.nCopies(number, NewEffect.of("repo", "{}"));
        books.effects()
                .committed(producer.enqueueAll(dsl, effects).stream()
                        .map(Enqueued::id)
                        .toList());
    }

    private List<ClaimedEffect> claim() {
        return consumer.dispatch(dsl, DispatchRequest.by("test"));
    }

    /** Claims effects, of which the ledger is told. */
    private List<ClaimedEffect> claimAndTell() {
        List<ClaimedEffect> effects = claim();
        books.effects().claimed(effects);
        return effects;
    }

    private void report(List<ClaimedEffect> effects) {
        List<EffectClaim> claims = effects.stream().map(ClaimedEffect::claim).toList();
        Set<EffectClaim> newest = books.effects().reporting(claims);
        books.effects().reported(consumer.complete(dsl, claims), newest);
    }

    /** Has a worker of the soak work until there is nothing left that it finds. */
    private void drain(int cap) throws InterruptedException {
        var worker = new EffectWorker(client, books, workerHabits(), new Random(1), cap);
        while (!Backlog.of(dsl).isDrained()) {
            worker.workOnce();
            new EffectOperator().redrive(dsl, Backlog.effectsLeft(dsl));
        }
    }

    private void close() {
        new DoneEffects(books.effects()).check(dsl);
        books.effects().close(Backlog.effectsLeft(dsl));
    }
}
