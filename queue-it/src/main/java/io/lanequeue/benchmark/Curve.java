package io.lanequeue.benchmark;

import java.util.List;

/** A line of a chart. */
record Curve(String name, List<Point> points) {

    Curve {
        points = List.copyOf(points);
    }

    record Point(double x, double y) {}
}
