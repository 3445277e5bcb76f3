/** What every call of the library may throw. Start with {@code io.lanequeue.outbox}. */
@NullMarked
package io.lanequeue;

import org.jspecify.annotations.NullMarked;
