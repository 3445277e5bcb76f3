package io.lanequeue.effects;

/**
 * What a repair did.
 *
 * @param repairedRepos repositories whose head was changed, added or removed
 * @param busyRepos repositories that still differ because another transaction holds their head: repair again
 */
public record RepoRepair(long repairedRepos, long busyRepos) {}
