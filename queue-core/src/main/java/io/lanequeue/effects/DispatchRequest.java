package io.lanequeue.effects;

import io.lanequeue.internal.Inputs;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.schema.RepoId;
import java.util.Collection;
import java.util.Set;

/**
 * A claim of effects across every repository. Begin with {@link #by(String)}: up to 100 effects, no repository
 * excluded, no cap.
 *
 * @param claimant who claims, kept for operators; 1 to {@value #MAX_CLAIMANT_LENGTH} characters
 * @param limit at most so many effects, 1 to {@value #MAX_EFFECTS}
 * @param cap at most so many effects in flight per repository, claims of others and those before a crash included;
 *     {@link #NO_CAP} for any number
 * @param excluded repositories to leave out
 */
public record DispatchRequest(String claimant, int limit, int cap, Set<RepoId> excluded) {

    public static final int MAX_CLAIMANT_LENGTH = 200;
    public static final int MAX_EFFECTS = 10_000;
    public static final int NO_CAP = Integer.MAX_VALUE;

    /** @throws InvalidInputException if a part is not as described above */
    public DispatchRequest {
        Inputs.text("claimant", claimant, MAX_CLAIMANT_LENGTH);
        Inputs.limit("limit of effects", limit, MAX_EFFECTS);
        Inputs.limit("cap per repository", cap, NO_CAP);
        excluded = Set.copyOf(excluded);
    }

    /** The defaults described above. */
    public static DispatchRequest by(String claimant) {
        return new DispatchRequest(claimant, 100, NO_CAP, Set.of());
    }

    public DispatchRequest withLimit(int effects) {
        return new DispatchRequest(claimant, effects, cap, excluded);
    }

    public DispatchRequest withCap(int inFlightPerRepo) {
        return new DispatchRequest(claimant, limit, inFlightPerRepo, excluded);
    }

    public DispatchRequest excluding(Collection<RepoId> repos) {
        return new DispatchRequest(claimant, limit, cap, Set.copyOf(repos));
    }
}
