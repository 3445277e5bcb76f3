package io.lanequeue.effects;

import io.lanequeue.internal.Inputs;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.schema.RepoId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An effect to enqueue. Checked when it is made, so that one that exists can be stored.
 *
 * @param repoId the repository
 * @param payload what the handler gets, a text of at most {@value #MAX_PAYLOAD_LENGTH} characters that PostgreSQL can
 *     store
 * @param delay how long it waits before it can be claimed, 0 to 3650 days; null for not at all
 * @param dedupeKey while an effect of this repository with this key waits, no second one is added: see
 *     {@link Enqueued.Status#ALREADY_WAITING}; 1 to {@value #MAX_DEDUPE_KEY_LENGTH} characters, or null
 */
public record NewEffect(
        RepoId repoId,
        String payload,
        @Nullable Duration delay,
        @Nullable String dedupeKey) {

    public static final int MAX_PAYLOAD_LENGTH = 16 * 1024 * 1024;
    public static final int MAX_DEDUPE_KEY_LENGTH = 500;

    private static final Duration LONGEST_DELAY = Duration.ofDays(3650);

    /** @throws InvalidInputException if a part is not as described above */
    public NewEffect {
        Inputs.storable("payload of an effect of " + repoId, payload, MAX_PAYLOAD_LENGTH);
        if (delay != null) {
            Inputs.duration("delay", delay, Duration.ZERO, LONGEST_DELAY);
        }
        if (dedupeKey != null) {
            Inputs.text("dedupe key", dedupeKey, MAX_DEDUPE_KEY_LENGTH);
        }
    }

    /** An effect that can be claimed as soon as the transaction commits. */
    public static NewEffect of(String repo, String payload) {
        return new NewEffect(new RepoId(repo), payload, null, null);
    }

    public NewEffect withDelay(Duration time) {
        return new NewEffect(repoId, payload, time, dedupeKey);
    }

    public NewEffect withDedupeKey(String key) {
        return new NewEffect(repoId, payload, delay, key);
    }
}
