package io.lanequeue.effects;

import io.lanequeue.schema.ClaimId;
import io.lanequeue.schema.EffectId;

/**
 * One worker's hold on one effect, and the fence that every later call carries: once the effect has another claim, or
 * none, calls with this one change nothing.
 */
public record EffectClaim(EffectId effect, ClaimId id) {}
