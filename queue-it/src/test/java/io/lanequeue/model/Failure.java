package io.lanequeue.model;

import java.util.List;

/**
 * A sequence that the model does not allow.
 *
 * @param steps how many steps had been taken when it was seen
 * @param lines what the actors did, one step a line
 * @param violation what was wrong at the end of it
 */
public record Failure(int steps, List<String> lines, Violation violation) {

    public Failure {
        lines = List.copyOf(lines);
    }

    @Override
    public String toString() {
        return "  " + String.join("\n  ", lines) + "\n  => " + violation.getMessage();
    }
}
