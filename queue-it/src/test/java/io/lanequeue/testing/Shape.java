package io.lanequeue.testing;

/** How a backlog is spread over its lanes or repositories. */
public enum Shape {
    /** All have as much. */
    EVEN,

    /** The one in front has as much as all others together, or more. */
    SKEWED
}
