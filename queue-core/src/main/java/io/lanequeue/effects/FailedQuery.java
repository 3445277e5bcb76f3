package io.lanequeue.effects;

import io.lanequeue.internal.Inputs;
import io.lanequeue.schema.EffectId;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.schema.RepoId;
import org.jspecify.annotations.Nullable;

/**
 * Which failed effects of a repository to list: in the order of their ids, a page at a time.
 *
 * @param repoId the repository
 * @param limit the size of the page, 1 to {@value #MAX_LIMIT}
 * @param after the last id of the page before, or null for the first page
 */
public record FailedQuery(
        RepoId repoId, int limit, @Nullable EffectId after) {

    public static final int MAX_LIMIT = 10_000;

    /** @throws InvalidInputException if the limit is out of range */
    public FailedQuery {
        Inputs.limit("limit of effects", limit, MAX_LIMIT);
    }

    /** The first 100 of a repository. */
    public static FailedQuery of(RepoId repoId) {
        return new FailedQuery(repoId, 100, null);
    }

    public FailedQuery withLimit(int effects) {
        return new FailedQuery(repoId, effects, after);
    }

    /** The page that follows this effect. */
    public FailedQuery after(EffectId last) {
        return new FailedQuery(repoId, limit, last);
    }
}
