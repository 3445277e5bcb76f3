package io.lanequeue.effects;

import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.RepoId;
import java.time.Duration;

/**
 * A repository with effects that wait to be claimed.
 *
 * @param repoId the repository
 * @param oldest its oldest enqueued effect
 * @param waiting how long that one has been waiting, by the database's clock
 * @param inFlight how many of its effects are claimed
 */
public record WaitingRepo(RepoId repoId, EffectId oldest, Duration waiting, int inFlight) {}
