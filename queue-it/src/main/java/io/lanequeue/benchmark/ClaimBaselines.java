package io.lanequeue.benchmark;

import io.lanequeue.benchmark.Curve.Point;
import io.lanequeue.benchmark.baseline.HeadFinder;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * B4: the claim beside those of ordered queues that keep no heads: on even data of growing size, with a tenth of the
 * lanes held by other workers, and with one lane that holds half of all events in front.
 */
final class ClaimBaselines implements Scenario {

    @Override
    public List<String> figures() {
        return List.of("B4");
    }

    @Override
    public Commits commits() {
        return Commits.NOT_AWAITED;
    }

    @Override
    public void measure(Lab lab, Results results) throws SQLException, InterruptedException {
        List<Integer> smaller = lab.form().of(List.of(2_000), List.of(2_000), List.of(2_000, 20_000, 200_000));
        int events = lab.form().of(4_000, 100_000, 2_000_000);
        List<Integer> sizes = new ArrayList<>(smaller);
        sizes.add(events);
        List<ClaimComparison> growing = new ArrayList<>();
        List<ClaimComparison> all = new ArrayList<>();
        for (int size : smaller) {
            try (var queues = OrderedQueues.even(lab, size)) {
                growing.add(queues.compare("even"));
            }
        }
        try (var queues = OrderedQueues.even(lab, events)) {
            ClaimComparison even = queues.compare("even");
            growing.add(even);
            all.add(even);
            queues.hold(events / OrderedQueues.PER_LANE / 10);
            all.add(queues.compare("held"));
        }
        try (var queues = OrderedQueues.skewed(lab, events)) {
            all.add(queues.compare("skewed"));
        }
        new ClaimVerdict(events, all).addTo(results);
        results.claimByBacklog().add(curve("Lanequeue", sizes, growing, ClaimComparison::ours));
        for (HeadFinder finder : HeadFinder.values()) {
            results.claimByBacklog().add(curve(finder.toString(), sizes, growing, comparison -> comparison.of(finder)));
        }
    }

    private static Curve curve(
            String name,
            List<Integer> sizes,
            List<ClaimComparison> comparisons,
            Function<ClaimComparison, Latencies> queue) {
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < sizes.size(); i++) {
            points.add(new Point(sizes.get(i), queue.apply(comparisons.get(i)).median()));
        }
        return new Curve(name, points);
    }
}
