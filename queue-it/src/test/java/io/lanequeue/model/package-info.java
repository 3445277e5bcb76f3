/** Plays random sequences of steps on several connections and compares each result with a small model of the queue. */
@NullMarked
package io.lanequeue.model;

import org.jspecify.annotations.NullMarked;
