package io.lanequeue.model.outbox;

import io.lanequeue.model.Call;
import io.lanequeue.model.Change;
import io.lanequeue.model.Operation;
import io.lanequeue.model.View;
import io.lanequeue.model.Violation;
import io.lanequeue.model.outbox.OutboxModel.Which;
import io.lanequeue.outbox.LaneReport;
import io.lanequeue.outbox.LeasedLane;
import io.lanequeue.outbox.OutboxConsumer;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jooq.DSLContext;

/** Ends the leases that so many lanes have, or had, all with the same outcome. */
record Finish(int position, int lanes, Which which, Outcome outcome) implements Operation<OutboxModel> {

    private static final OutboxConsumer CONSUMER = new OutboxConsumer();

    @Override
    public Optional<Call<OutboxModel, List<LaneReport>>> on(View<OutboxModel> view) {
        List<LeasedLane> leased = view.model().leases(position, lanes, which);
        if (leased.isEmpty()) {
            return Optional.empty();
        }
        Set<Row> waitsFor = new HashSet<>(Set.of(Row.OUTBOX));
        leased.forEach(lane -> waitsFor.add(Row.head(lane.lease().lane().value())));
        return Optional.of(Call.<OutboxModel, List<LaneReport>>of(
                        dsl -> send(dsl, leased), (reports, now) -> explain(leased, reports, view.model(), now))
                .waitingOnlyFor(waitsFor));
    }

    private List<LaneReport> send(DSLContext dsl, List<LeasedLane> leased) {
        if (lanes > 1 && outcome.kind() == Outcome.Kind.RELEASED) { // as a worker that shuts down
            return CONSUMER.release(dsl, leased.stream().map(LeasedLane::lease).toList());
        }
        return CONSUMER.finish(dsl, leased.stream().map(outcome::of).toList());
    }

    private Change<OutboxModel> explain(
            List<LeasedLane> leased, List<LaneReport> reports, OutboxModel seen, View<OutboxModel> now) {
        Change<OutboxModel> change = Change.none();
        for (int i = 0; i < leased.size(); i++) {
            change = change.and(explain(leased.get(i), reports.get(i), seen, now));
        }
        return change;
    }

    private Change<OutboxModel> explain(LeasedLane leased, LaneReport report, OutboxModel seen, View<OutboxModel> now) {
        long lane = leased.lease().lane().value();
        boolean isLost = report.status() == LaneReport.Status.LEASE_LOST;
        Violation.unless(
                isLost != now.model().isLeased(lane, leased.lease().id()),
                "I5: lane %s is %s, the report is %s",
                lane,
                now.model().hold(lane),
                report);
        if (isLost) {
            return Change.holding(Set.of(Row.head(lane))); // where it has waited for the lock it has it now
        }

        List<Place> deleted = deleted(leased, report, seen, now);
        Optional<Place> failed = outcome.failed(leased);
        Optional<Place> recorded = failed.filter(event -> report.status() == LaneReport.Status.FINISHED);
        Violation.unless(
                recorded.filter(event -> !now.model().contains(event)).isEmpty(),
                "I4: the failure of %s, which is gone, is recorded",
                recorded);
        if (now.isSure()) {
            Optional<Place> first = seen.events(lane).stream()
                    .filter(event -> !deleted.contains(event))
                    .findFirst();
            Optional<Place> expected =
                    failed.filter(event -> first.filter(event::equals).isPresent() && now.isFree(Row.event(event)));
            Violation.unless(recorded.equals(expected), "I4: failure of %s, the report is %s", expected, report);
        }

        Set<Row> held = Row.removed(deleted);
        held.add(Row.head(lane));
        failed.map(Row::event).ifPresent(held::add);
        return new Change<>(held, model -> {
            model.remove(deleted);
            model.ready(lane);
            recorded.map(outcome::hold).ifPresent(hold -> model.hold(lane, hold));
        });
    }

    /** The delivered events that are still there, but for those that others hold, which are told as missing. */
    private List<Place> deleted(LeasedLane leased, LaneReport report, OutboxModel seen, View<OutboxModel> now) {
        List<Place> delivered = outcome.delivered(leased).stream()
                .filter(event -> seen.contains(event) && now.model().contains(event))
                .toList();
        List<Place> deleted = delivered.stream()
                .filter(event -> report.deleted().contains(event.id()))
                .toList();
        Violation.unless(
                deleted.size() == report.deleted().size()
                        && deleted.size() + report.missing().size()
                                == outcome.delivered(leased).size(),
                "finish: %s of %s",
                report,
                delivered);
        Violation.unless(
                !now.isSure()
                        || deleted.equals(delivered.stream()
                                .filter(event -> now.isFree(Row.event(event)))
                                .toList()),
                "finish: %s of %s, of which others hold %s",
                report,
                delivered,
                now.others());
        return deleted;
    }
}
