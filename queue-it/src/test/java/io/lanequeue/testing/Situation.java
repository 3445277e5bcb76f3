package io.lanequeue.testing;

import java.util.stream.Stream;

/**
 * What a statement is planned in.
 *
 * @param size how many lanes or repositories have a backlog
 * @param shape how it is spread over them
 * @param statistics what the planner knows of it
 */
public record Situation(int size, Shape shape, Statistics statistics) {

    /** With 100 and with 100,000 lanes or repositories, in each shape, with each kind of statistics. */
    public static Stream<Situation> all() {
        return Stream.of(100, 100_000)
                .flatMap(size -> Stream.of(Shape.values())
                        .flatMap(shape -> Stream.of(Statistics.values())
                                .map(statistics -> new Situation(size, shape, statistics))));
    }

    /** With 100,000 lanes or repositories, the first of which has half of all or more, where statistics mislead. */
    public static Stream<Situation> misleading() {
        return Stream.of(Statistics.OF_OTHERS, Statistics.DRAINED)
                .map(statistics -> new Situation(100_000, Shape.SKEWED, statistics));
    }

    @Override
    public String toString() {
        return size + " " + shape + " " + statistics;
    }
}
