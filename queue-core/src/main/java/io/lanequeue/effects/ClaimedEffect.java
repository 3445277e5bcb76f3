package io.lanequeue.effects;

import io.lanequeue.schema.RepoId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A claimed effect.
 *
 * @param claim the fence for every later call about it
 * @param repoId the repository
 * @param payload what was enqueued
 * @param attempt how often it has been claimed, this time included
 * @param lastError why it failed the last time, or null
 * @param enqueuedAt since when it had been waiting, by the database's clock
 * @param claimedAt when it was claimed, by the database's clock
 */
public record ClaimedEffect(
        EffectClaim claim,
        RepoId repoId,
        String payload,
        int attempt,
        @Nullable String lastError,
        Instant enqueuedAt,
        Instant claimedAt) {}
