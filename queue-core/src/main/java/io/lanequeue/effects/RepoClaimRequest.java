package io.lanequeue.effects;

import io.lanequeue.internal.Inputs;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.schema.RepoId;

/**
 * A claim of effects of one repository.
 *
 * @param repoId the repository
 * @param claimant who claims, kept for operators; 1 to {@value DispatchRequest#MAX_CLAIMANT_LENGTH} characters
 * @param limit at most so many effects, 1 to {@value DispatchRequest#MAX_EFFECTS}
 */
public record RepoClaimRequest(RepoId repoId, String claimant, int limit) {

    /** @throws InvalidInputException if a part is not as described above */
    public RepoClaimRequest {
        Inputs.text("claimant", claimant, DispatchRequest.MAX_CLAIMANT_LENGTH);
        Inputs.limit("limit of effects", limit, DispatchRequest.MAX_EFFECTS);
    }
}
