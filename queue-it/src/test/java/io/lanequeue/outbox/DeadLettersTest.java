package io.lanequeue.outbox;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_DEAD_LETTERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.schema.EventId;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.testing.Isolation;
import io.lanequeue.testing.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

class DeadLettersTest extends OutboxFixture {

    private final OutboxOperator operator = new OutboxOperator();

    @Test
    void listsDeadLettersByTheirIds() {
        List<EventId> first = discarded(1, 2);
        List<EventId> second = discarded(2, 1);
        List<EventId> third = discarded(1, 1);

        assertThat(list(DeadLetterQuery.ofAll()))
                .containsExactly(first.get(0), first.get(1), second.get(0), third.get(0));
        assertThat(list(DeadLetterQuery.of(lane(1)))).containsExactly(first.get(0), first.get(1), third.get(0));
        assertThat(list(DeadLetterQuery.of(lane(9)))).isEmpty();
    }

    @Test
    void pagesVisitEveryDeadLetterOnce() {
        List<EventId> all = discarded(1, 5);

        assertThat(pages(DeadLetterQuery.ofAll().withLimit(2)))
                .containsExactly(all.subList(0, 2), all.subList(2, 4), all.subList(4, 5));
    }

    @Test
    void pagesOfALaneLeaveOthersOut() {
        List<EventId> first = discarded(1, 2);
        discarded(2, 2);
        List<EventId> last = discarded(1, 1);

        assertThat(pages(DeadLetterQuery.of(lane(1)).withLimit(2))).containsExactly(first, last);
    }

    @Test
    void redrivesDeadLettersAsNewEvents() {
        List<EventId> old = discarded(1, 2);
        DeadLetter before = operator.deadLetters(dsl, DeadLetterQuery.ofAll()).get(1);

        Map<EventId, EventId> newIds = operator.redrive(dsl, old);

        assertThat(newIds).containsOnlyKeys(old);
        assertThat(newIds.values()).doesNotContainAnyElementsOf(old);
        assertThat(list(DeadLetterQuery.ofAll())).isEmpty();
        List<Event> delivered = drain(dsl);
        assertThat(delivered).extracting(Event::id).containsExactly(newIds.get(old.get(0)), newIds.get(old.get(1)));
        assertThat(delivered.get(1))
                .usingRecursiveComparison()
                .ignoringFields("id", "createdAt")
                .isEqualTo(before.event());
    }

    @Test
    void redrivenEventsOfEqualPositionKeepTheirOrder() {
        List<EventId> old = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            EventId event = append(dsl, i % 2, 7);
            operator.deleteHead(dsl, lane(i % 2), event, "test");
            old.add(event);
        }
        List<EventId> shuffled = new ArrayList<>(old);
        Collections.reverse(shuffled);

        Map<EventId, EventId> newIds = operator.redrive(dsl, shuffled);

        assertThat(old.stream().map(newIds::get).toList()).doesNotContainNull().isSorted();
        assertThat(newIds.keySet()).containsExactlyElementsOf(old);
        assertThat(claim(dsl, 1, 20).events()).extracting(Event::id).isSorted().hasSize(10);
    }

    @Test
    void aRedrivenEventWithALowPositionIsTheNextOfItsLane() {
        EventId old = discarded(1, 1).get(0);
        EventId waiting = append(dsl, 1, 5);

        EventId redriven = operator.redrive(dsl, List.of(old)).get(old);

        assertThat(ids(claimOne(dsl, 5))).containsExactly(redriven, waiting);
    }

    @Test
    void aRedrivenEventReleasesALaneThatIsBlockedBehindIt() {
        EventId old = discarded(1, 1).get(0);
        EventId poison = append(dsl, 1, 5);
        consumer.finish(dsl, List.of(LaneOutcome.block(claimOne(dsl, 1), poison, "poison")));

        EventId redriven = operator.redrive(dsl, List.of(old)).get(old);

        assertThat(ids(claimOne(dsl, 1))).containsExactly(redriven);
    }

    @Test
    void saysWhichDeadLettersThereAreNot() {
        EventId old = discarded(1, 1).get(0);
        EventId alive = append(dsl, 2, 1);
        EventId never = new EventId(Long.MAX_VALUE);

        assertThat(operator.redrive(dsl, List.of(never, old, alive))).containsOnlyKeys(old);
        assertThat(operator.redrive(dsl, List.of(never, old, alive))).isEmpty();
        assertThat(eventsOf(1)).hasSize(1);
        assertThat(eventsOf(2)).containsExactly(alive);
    }

    @Test
    void redrivesADeadLetterOnceThoughItIsNamedTwice() {
        EventId old = discarded(1, 1).get(0);

        assertThat(operator.redrive(dsl, List.of(old, old))).containsOnlyKeys(old);
        assertThat(eventsOf(1)).hasSize(1);
    }

    @Test
    void sendsNothingForNoDeadLetters() {
        assertThat(operator.redrive(DSL.using(SQLDialect.POSTGRES), List.of())).isEmpty();
    }

    @Test
    void refusesMoreThanABatch() {
        List<EventId> tooMany = Collections.nCopies(OutboxOperator.MAX_BATCH + 1, new EventId(1));

        assertThatThrownBy(() -> operator.redrive(dsl, tooMany))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("10000");
    }

    @Test
    void ofTwoRedrivesAtOnceOneHappens() {
        List<EventId> old = discarded(1, 2);
        Session first = db.begin(Isolation.READ_COMMITTED);
        Session second = db.begin(Isolation.READ_COMMITTED);

        Map<EventId, EventId> one = operator.redrive(first.dsl(), old);
        var waiting = second.start(context -> operator.redrive(context, old)).awaitWaiting();
        first.commit();

        assertThat(one).containsOnlyKeys(old);
        assertThat(waiting.get()).isEmpty();
        second.commit();
        assertThat(eventsOf(1)).hasSize(2);
    }

    /**
     * Whatever the order in which they are named: two that want the same ones do not wait for each other. Taken out:
     * {@code orderBy} of {@code asked} in DeadLetterStatements: 40P01.
     */
    @Test
    void aRedriveTakesDeadLettersInTheOrderOfTheirIds() {
        List<EventId> old = discarded(1, 2);
        EventId low = old.get(0);
        EventId high = old.get(1);
        Session first = db.begin(Isolation.READ_COMMITTED);
        Session second = db.begin(Isolation.READ_COMMITTED);

        operator.redrive(first.dsl(), List.of(low));
        var waiting = second.start(context -> operator.redrive(context, List.of(high, low)))
                .awaitWaiting();

        assertThat(operator.redrive(first.dsl(), List.of(high))).containsOnlyKeys(high);
        first.commit();
        assertThat(waiting.get()).isEmpty();
        second.commit();
    }

    @Test
    void aRedriveThatIsRolledBackLeavesTheDeadLetters() {
        List<EventId> old = discarded(1, 2);
        Session session = db.begin(Isolation.READ_COMMITTED);
        operator.redrive(session.dsl(), old);
        session.rollback();

        assertThat(list(DeadLetterQuery.ofAll())).isEqualTo(old);
        assertThat(eventsOf(1)).isEmpty();
        assertThat(head(1)).isEmpty();
    }

    @Test
    void purgesWhatIsOldEnough() {
        List<EventId> letters = discarded(1, 3);
        age(letters.get(0), Duration.ofDays(3));
        age(letters.get(1), Duration.ofDays(1));

        assertThat(operator.purgeDeadLetters(dsl, Duration.ofDays(4), 10)).isZero();
        assertThat(operator.purgeDeadLetters(dsl, Duration.ofHours(36), 10)).isEqualTo(1);
        assertThat(list(DeadLetterQuery.ofAll())).isEqualTo(letters.subList(1, 3));
        assertThat(operator.purgeDeadLetters(dsl, Duration.ZERO, 10)).isEqualTo(2);
        assertThat(operator.purgeDeadLetters(dsl, Duration.ZERO, 10)).isZero();
    }

    @Test
    void purgesNoMoreThanTheLimitTheLongestDiscardedFirst() {
        List<EventId> letters = discarded(1, 4);
        age(letters.get(0), Duration.ofDays(1));
        age(letters.get(1), Duration.ofDays(3));
        age(letters.get(2), Duration.ofDays(4));
        age(letters.get(3), Duration.ofDays(2));

        assertThat(operator.purgeDeadLetters(dsl, Duration.ZERO, 2)).isEqualTo(2);

        assertThat(list(DeadLetterQuery.ofAll())).containsExactly(letters.get(0), letters.get(3));
    }

    @Test
    void purgeSkipsWhatARedriveHolds() {
        List<EventId> letters = discarded(1, 2);
        Session redriving = db.begin(Isolation.READ_COMMITTED);
        operator.redrive(redriving.dsl(), List.of(letters.get(0)));

        assertThat(operator.purgeDeadLetters(dsl, Duration.ZERO, 10)).isEqualTo(1);
        redriving.rollback();

        assertThat(list(DeadLetterQuery.ofAll())).containsExactly(letters.get(0));
    }

    private List<EventId> discarded(long user, int count) {
        List<EventId> events = appendMany(user, count);
        operator.deleteLane(dsl, lane(user), "test");
        return events;
    }

    private void age(EventId letter, Duration age) {
        dsl.update(DISPATCH_OUTBOX_DEAD_LETTERS)
                .set(
                        DISPATCH_OUTBOX_DEAD_LETTERS.DISCARDED_AT,
                        ByHand.clock(dsl).minus(age))
                .where(DISPATCH_OUTBOX_DEAD_LETTERS.ID.eq(letter))
                .execute();
    }

    private List<EventId> list(DeadLetterQuery query) {
        return operator.deadLetters(dsl, query).stream()
                .map(letter -> letter.event().id())
                .toList();
    }

    private List<List<EventId>> pages(DeadLetterQuery first) {
        List<List<EventId>> pages = new ArrayList<>();
        DeadLetterQuery query = first;
        List<EventId> page = list(query);
        while (!page.isEmpty()) {
            pages.add(page);
            query = query.after(page.get(page.size() - 1));
            page = list(query);
        }
        return pages;
    }
}
