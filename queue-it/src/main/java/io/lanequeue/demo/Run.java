package io.lanequeue.demo;

import org.jspecify.annotations.Nullable;

/**
 * A run of the demo over one file, by one process or, where processes were killed, by several.
 *
 * @param id its number in this database
 * @param resumed whether an earlier process began it
 * @param released the blocked lane that an operator released in an earlier process, in words; null where that is still
 *     to come
 */
record Run(long id, boolean resumed, @Nullable String released) {}
