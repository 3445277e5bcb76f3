package io.lanequeue.effects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.CallAgainException;
import io.lanequeue.schema.EffectId;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds between producers and dispatchers, on several connections, at every isolation level. */
class EffectInvariantsTest extends EffectFixture {

    static Stream<Arguments> twoIsolations() {
        return Stream.of(Isolation.values())
                .flatMap(first -> Stream.of(Isolation.values()).map(second -> Arguments.of(first, second)));
    }

    @ParameterizedTest
    @MethodSource("twoIsolations")
    void anOpenEnqueueBlocksNeitherTheClaimOfTheLastEffectNorItsCompletion(Isolation enqueuing, Isolation claiming) {
        EffectId first = enqueue(dsl, "repo");
        Session producing = db.begin(enqueuing);
        EffectId second = enqueue(producing.dsl(), "repo");

        Session worker = db.begin(claiming);
        List<ClaimedEffect> claimed = dispatch(worker.dsl(), 10);
        worker.commit();
        assertThat(ids(claimed)).containsExactly(first);
        List<EffectReport> reports = consumer.complete(worker.dsl(), claims(claimed));
        worker.commit();
        boolean committed = producing.tryCommit();

        assertThat(reports).extracting(EffectReport::status).containsExactly(EffectReport.Status.APPLIED);
        assertThat(ids(dispatch(dsl, 10))).isEqualTo(committed ? List.of(second) : List.of());
        assertThat(inFlight("repo")).isEqualTo(committed ? 1 : 0);
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void anEnqueueWhileTheLastEffectIsInFlightBlocksNotItsCompletion(Isolation enqueuing) {
        enqueue(dsl, "repo");
        List<ClaimedEffect> claimed = dispatch(dsl, 10);
        assertThat(head("repo").orElseThrow().getHeadId()).isNull();
        Session producing = db.begin(enqueuing);
        EffectId second = enqueue(producing.dsl(), "repo");

        assertThat(consumer.complete(dsl, claims(claimed)))
                .extracting(EffectReport::status)
                .containsExactly(EffectReport.Status.APPLIED);
        assertThat(head("repo")).as("pinned by the enqueue").isPresent();
        boolean committed = producing.tryCommit();

        assertThat(ids(dispatch(dsl, 10))).isEqualTo(committed ? List.of(second) : List.of());
    }

    @ParameterizedTest
    @MethodSource("twoIsolations")
    void anEnqueueBehindAnOpenClaimOfTheLastEffectIsClaimableOnceItCommits(Isolation enqueuing, Isolation claiming) {
        EffectId first = enqueue(dsl, "repo");
        Session worker = db.begin(claiming);
        assertThat(ids(dispatch(worker.dsl(), 10))).containsExactly(first);

        Session producing = db.begin(enqueuing);
        EffectId second = enqueue(producing.dsl(), "repo");
        boolean enqueued = producing.tryCommit();
        boolean claimed = worker.tryCommit();

        assertThat(enqueued).isTrue();
        assertThat(ids(dispatch(dsl, 10))).isEqualTo(claimed ? List.of(second) : List.of(first, second));
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void anEnqueueBehindAnOpenRemovalOfTheHeadWaitsAndIsClaimable(Isolation enqueuing) {
        enqueue(dsl, "repo");
        List<ClaimedEffect> claimed = dispatch(dsl, 10);
        Session worker = db.begin(Isolation.READ_COMMITTED);
        consumer.complete(worker.dsl(), claims(claimed));

        Session producing = db.begin(enqueuing);
        var enqueue = producing.start(context -> enqueue(context, "repo")).awaitWaiting();
        worker.commit();

        if (enqueuing == Isolation.READ_COMMITTED) {
            EffectId second = enqueue.get();
            producing.commit();
            assertThat(ids(dispatch(dsl, 10))).containsExactly(second);
        } else {
            assertThatThrownBy(enqueue::get).isInstanceOf(CallAgainException.class);
        }
    }

    @Test
    void theSecondProducerOfANewRepositoryWaitsForTheFirstAndBothAreClaimable() {
        Session first = db.begin(Isolation.READ_COMMITTED);
        EffectId one = enqueue(first.dsl(), "repo");
        Session second = db.begin(Isolation.READ_COMMITTED);
        var enqueue = second.start(context -> enqueue(context, "repo")).awaitWaiting();
        first.commit();
        EffectId two = enqueue.get();

        assertThat(ids(dispatch(dsl, 10))).as("hidden by nobody").containsExactly(one);
        second.commit();
        assertThat(ids(dispatch(dsl, 10))).containsExactly(two);
    }

    @Test
    void anEnqueueThatIsRolledBackLeavesAHeadThatAClaimSettles() {
        enqueue(dsl, "repo");
        List<ClaimedEffect> claimed = dispatch(dsl, 10);
        Session producing = db.begin(Isolation.READ_COMMITTED);
        enqueue(producing.dsl(), "repo");
        consumer.complete(dsl, claims(claimed));
        producing.rollback();
        assertThat(head("repo")).isPresent();

        assertThat(dispatch(dsl, 10)).isEmpty();
        assertThat(head("repo")).isEmpty();
    }

    @Test
    void anEffectThatCommitsLateBelowTheOthersIsTheNextOne() {
        enqueue(dsl, "repo");
        Session producing = db.begin(Isolation.READ_COMMITTED);
        EffectId late = enqueue(producing.dsl(), "repo");
        EffectId higher = enqueue(dsl, "repo");
        dispatch(dsl, 1);
        producing.commit();

        assertThat(ids(dispatch(dsl, 1))).containsExactly(late);
        assertThat(ids(dispatch(dsl, 1))).containsExactly(higher);
    }

    @Test
    void aHeadThatAnOpenEnqueuePinsDoesNotFillAClaim() {
        enqueue(dsl, "pinned");
        List<ClaimedEffect> claimed = dispatch(dsl, 10);
        Session producing = db.begin(Isolation.READ_COMMITTED);
        enqueue(producing.dsl(), "pinned");
        consumer.complete(dsl, claims(claimed));
        EffectId other = enqueue(dsl, "other");

        assertThat(ids(dispatch(dsl, 1))).containsExactly(other);
        producing.rollback();
    }

    @Test
    void theStandingEffectOfAKeyIsNotClaimedBeforeTheEnqueuerHasCommitted() {
        NewEffect keyed = NewEffect.of("repo", "x").withDedupeKey("k");
        EffectId standing = producer.enqueue(dsl, keyed).id();
        Session producing = db.begin(Isolation.READ_COMMITTED);
        assertThat(producer.enqueue(producing.dsl(), keyed).status()).isEqualTo(Enqueued.Status.ALREADY_WAITING);

        assertThat(dispatch(dsl, 10)).isEmpty();
        producing.commit();
        assertThat(ids(dispatch(dsl, 10))).containsExactly(standing);
    }
}
