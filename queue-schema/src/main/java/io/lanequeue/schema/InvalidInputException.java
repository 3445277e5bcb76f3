package io.lanequeue.schema;

import org.jspecify.annotations.Nullable;

/** An argument that cannot be stored or has no meaning. Nothing was written; mend the argument and call again. */
public final class InvalidInputException extends LanequeueException {

    private static final long serialVersionUID = 1L;

    private final String input;

    /**
     * @param input what was wrong, in the words of the call, such as {@code payload of event 3}
     * @param rule what it has to be, as the rest of a sentence, such as {@code must be valid JSON}
     */
    public InvalidInputException(String input, String rule) {
        this(input, rule, null);
    }

    public InvalidInputException(String input, String rule, @Nullable Throwable cause) {
        super(input + " " + rule, cause);
        this.input = input;
    }

    /** What was wrong, in the words of the call. */
    public String input() {
        return input;
    }
}
