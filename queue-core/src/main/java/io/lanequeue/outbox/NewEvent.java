package io.lanequeue.outbox;

import io.lanequeue.internal.Inputs;
import io.lanequeue.internal.JsonSyntax;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.schema.TargetUserId;
import java.util.Objects;
import org.jooq.JSONB;

/**
 * An event to append. Checked when it is made, so that one that exists can be stored.
 *
 * @param targetUserId the user, and so the lane
 * @param pts the position the application gives the event within its lane, 0 or greater; events of equal position are
 *     delivered in the order of their append
 * @param eventType what kind of event it is, in the application's words; 1 to {@value #MAX_EVENT_TYPE_LENGTH}
 *     characters
 * @param payload valid JSON of at most {@value #MAX_PAYLOAD_LENGTH} characters, without NUL and without half surrogate
 *     pairs, not nested deeper than {@value JsonSyntax#MAX_DEPTH} levels, with numbers in the range of {@code numeric}
 *     that have at most {@value JsonSyntax#MAX_PRINTED_DIGITS} digits together when they are written without exponents
 */
public record NewEvent(TargetUserId targetUserId, int pts, String eventType, JSONB payload) {

    public static final int MAX_EVENT_TYPE_LENGTH = 200;
    public static final int MAX_PAYLOAD_LENGTH = 16 * 1024 * 1024;

    /** @throws InvalidInputException if a part is not as described above; the message says which and why */
    public NewEvent {
        Objects.requireNonNull(targetUserId, "targetUserId");
        Objects.requireNonNull(eventType, "eventType");
        Objects.requireNonNull(payload, "payload");
        String event = "of event (user " + targetUserId + ", pts " + pts + ")";
        if (pts < 0) {
            throw new InvalidInputException("pts " + event, "must be 0 or greater");
        }
        Inputs.text("event type " + event, eventType, MAX_EVENT_TYPE_LENGTH);
        if (payload.data().length() > MAX_PAYLOAD_LENGTH) {
            throw new InvalidInputException(
                    "payload " + event,
                    "must have at most " + MAX_PAYLOAD_LENGTH + " characters, but has "
                            + payload.data().length());
        }
        JsonSyntax.check("payload " + event, payload.data());
    }

    /** An event from plain values. {@code payload} is a JSON text. */
    public static NewEvent of(long targetUserId, int pts, String eventType, String payload) {
        return new NewEvent(
                new TargetUserId(targetUserId),
                pts,
                eventType,
                JSONB.valueOf(Objects.requireNonNull(payload, "payload")));
    }
}
