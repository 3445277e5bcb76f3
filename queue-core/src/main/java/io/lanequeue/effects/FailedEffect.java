package io.lanequeue.effects;

import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.RepoId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An effect that failed for good, or was cancelled.
 *
 * @param id the effect
 * @param repoId the repository
 * @param payload what was enqueued
 * @param attempts how often it was claimed
 * @param lastError why it failed, or the reason of the cancellation
 * @param failedAt when, by the database's clock
 */
public record FailedEffect(
        EffectId id,
        RepoId repoId,
        String payload,
        int attempts,
        @Nullable String lastError,
        Instant failedAt) {}
