/** Shared by the queues of this library. Not API: it may change in any release. */
@NullMarked
package io.lanequeue.internal;

import org.jspecify.annotations.NullMarked;
