package io.lanequeue.demo;

import static io.lanequeue.demo.DemoTables.LINE;
import static io.lanequeue.demo.DemoTables.LINES;
import static io.lanequeue.demo.DemoTables.LINE_EVENT;
import static io.lanequeue.demo.DemoTables.LINE_LANE;
import static io.lanequeue.demo.DemoTables.LINE_PTS;
import static io.lanequeue.demo.DemoTables.LINE_RUN;
import static org.jooq.impl.DSL.any;

import io.lanequeue.command.Again;
import io.lanequeue.command.Failures;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.schema.EventId;
import io.lanequeue.schema.InvalidInputException;
import java.util.List;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.exception.IntegrityConstraintViolationException;

/**
 * Appends lines of the file as events: in one transaction several events, and for each of them a row of the demo's own
 * that says so. After a crash that row tells whether the line has been appended.
 */
final class Producer {

    private static final int EVENTS_PER_TRANSACTION = 50;

    private final OutboxProducer outbox = new OutboxProducer();
    private final Run run;
    private final Fault fault;
    private final Tally tally;
    private final InvalidLines refused;

    /** @param refused hears of lines that only the database finds invalid */
    Producer(Run run, Fault fault, Tally tally, InvalidLines refused) {
        this.run = run;
        this.fault = fault;
        this.tally = tally;
        this.refused = refused;
    }

    /** Appends lines in their order, except those that have been appended before. */
    void append(DSLContext dsl, List<EventLine> lines) {
        List<EventLine> missing = missing(dsl, lines);
        for (int from = 0; from < missing.size(); from += EVENTS_PER_TRANSACTION) {
            appendTogether(dsl, missing.subList(from, Math.min(from + EVENTS_PER_TRANSACTION, missing.size())));
        }
    }

    private List<EventLine> missing(DSLContext dsl, List<EventLine> lines) {
        if (!run.resumed()) {
            return lines;
        }
        Set<Integer> appended = dsl.select(LINE)
                .from(LINES)
                .where(LINE_RUN.eq(run.id()))
                .and(LINE.eq(any(lines.stream().map(EventLine::number).toArray(Integer[]::new))))
                .fetchSet(LINE);
        return lines.stream().filter(line -> !appended.contains(line.number())).toList();
    }

    private void appendTogether(DSLContext dsl, List<EventLine> lines) {
        try {
            transaction(dsl, lines);
        } catch (IntegrityConstraintViolationException e) {
            // The last transaction of a killed process has just committed one of the lines; now it is seen.
            transaction(dsl, missing(dsl, lines));
        } catch (InvalidInputException e) {
            // The database refuses one of the payloads and does not say which.
            if (lines.size() == 1) {
                refused.report(
                        lines.get(0).number(), "the payload is refused by the database: " + Failures.rootInWords(e));
            } else {
                int half = lines.size() / 2;
                appendTogether(dsl, lines.subList(0, half));
                appendTogether(dsl, lines.subList(half, lines.size()));
            }
        }
    }

    private void transaction(DSLContext dsl, List<EventLine> lines) {
        List<NewEvent> events = lines.stream().map(EventLine::event).toList();
        Again.call(() -> dsl.transactionResult(transaction -> {
            List<EventId> ids = outbox.appendAll(transaction.dsl(), events);
            record(transaction.dsl(), lines, ids);
            return ids;
        }));
        tally.appended().addAndGet(lines.size());
    }

    private void record(DSLContext dsl, List<EventLine> lines, List<EventId> ids) {
        var rows = dsl.batch(dsl.insertInto(LINES, LINE_RUN, LINE, LINE_EVENT, LINE_LANE, LINE_PTS)
                .values((Long) null, null, null, null, null));
        for (int i = 0; i < lines.size(); i++) {
            EventLine line = lines.get(i);
            fault.appended(line.number(), ids.get(i));
            rows.bind(
                    run.id(),
                    line.number(),
                    ids.get(i),
                    line.event().targetUserId(),
                    line.event().pts());
        }
        rows.execute();
    }
}
