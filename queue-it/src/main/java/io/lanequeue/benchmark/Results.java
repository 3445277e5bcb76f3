package io.lanequeue.benchmark;

import java.util.ArrayList;
import java.util.List;

/** What a run has found so far: figures, and the data of the charts. */
final class Results {

    private final List<Figure> figures = new ArrayList<>();
    private final List<Curve> claimByBacklog = new ArrayList<>();
    private final List<Curve> claimOverTime = new ArrayList<>();
    private final List<Bar> drains = new ArrayList<>();

    void add(Figure figure) {
        figures.add(figure);
    }

    List<Figure> figures() {
        return figures;
    }

    /** Claim latency in milliseconds against the number of events that wait. */
    List<Curve> claimByBacklog() {
        return claimByBacklog;
    }

    /** Claim latency in milliseconds against seconds under a held snapshot. */
    List<Curve> claimOverTime() {
        return claimOverTime;
    }

    /** Throughput of drains in events per second; series are numbers of consumers. */
    List<Bar> drains() {
        return drains;
    }
}
