/**
 * Every two calls of a queue on one lane or repository, the second one while the transaction of the first is open. What
 * is seen is the tables of docs/proof/interleavings.md.
 */
@NullMarked
package io.lanequeue.interleavings;

import org.jspecify.annotations.NullMarked;
