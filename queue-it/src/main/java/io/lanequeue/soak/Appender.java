package io.lanequeue.soak;

import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.schema.EventId;
import io.lanequeue.soak.Place.Arrival;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jooq.DSLContext;

/**
 * Appends what is due to lanes of its own, and tells the ledger what committed. It knows the fate of one transaction
 * before it begins the next, so the order of its lanes is known.
 */
final class Appender {

    /** How many share the lanes. */
    static final int APPENDERS = 4;

    private static final int ONE_LATE_OF = 50;

    /** Places in turn are even: between them is room for late events. */
    private static final int STEP = 2;

    /** How uneven: with 3, a tenth of the lanes gets almost half of the events. */
    private static final int UNEVENNESS = 3;

    private final OutboxProducer producer = new OutboxProducer();
    private final int[] nextPlaces = new int[Plan.LANES / APPENDERS];
    private final int number;
    private final Witness witness;
    private final Schedule schedule;
    private final EventLedger ledger;
    private final ProducerHabits habits;
    private final Random random;

    /** @param number from 0 to below {@link #APPENDERS} */
    Appender(int number, Witness witness, Schedule schedule, EventLedger ledger, ProducerHabits habits, Random random) {
        this.number = number;
        this.witness = witness;
        this.schedule = schedule;
        this.ledger = ledger;
        this.habits = habits;
        this.random = random;
    }

    /** Works until the schedule ends. */
    Void work() throws InterruptedException {
        for (int due = schedule.take(habits.most()); due > 0; due = schedule.take(habits.most())) {
            append(due);
        }
        return null;
    }

    /** Appends so many events, in one transaction. */
    void append(int due) throws InterruptedException {
        Optional<List<EventId>> committed = tryToAppend(due);
        while (committed.isEmpty()) {
            committed = tryToAppend(due);
        }
        ledger.committed(committed.get());
    }

    private Optional<List<EventId>> tryToAppend(int due) throws InterruptedException {
        List<NewEvent> events = events(due);
        return witness.commit(habits.isolation(), transaction -> {
            List<EventId> ids = append(transaction, events);
            habits.beforeCommit();
            return ids;
        });
    }

    private List<EventId> append(DSLContext transaction, List<NewEvent> events) {
        return events.size() == 1
                ? List.of(producer.append(transaction, events.get(0)))
                : producer.appendAll(transaction, events);
    }

    /** Events for the next transaction. Their order in the list is no matter, since they commit together. */
    private List<NewEvent> events(int due) {
        List<NewEvent> events = new ArrayList<>();
        for (int i = 0; i < due; i++) {
            int lane = (int) (nextPlaces.length * Math.pow(random.nextDouble(), UNEVENNESS));
            events.add(nextPlace(lane).event((long) lane * APPENDERS + number));
        }
        Collections.shuffle(events, random);
        return events;
    }

    private Place nextPlace(int lane) {
        int next = nextPlaces[lane];
        if (next > STEP && random.nextInt(ONE_LATE_OF) == 0) {
            return new Place(next - STEP - 1, Arrival.LATE);
        }
        nextPlaces[lane] = next + STEP;
        return new Place(next, Arrival.IN_TURN);
    }
}
