/** Workers against a real Postgres: what they deliver, and what becomes of what goes wrong. */
@NullMarked
package io.lanequeue.worker;

import org.jspecify.annotations.NullMarked;
