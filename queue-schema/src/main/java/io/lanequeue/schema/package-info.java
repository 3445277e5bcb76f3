/**
 * The schema of the queues: {@link io.lanequeue.schema.LanequeueSchema} migrates it, {@code io.lanequeue.schema.jooq}
 * holds the table classes that jOOQ generates from it, and the id types here are what those classes speak.
 */
@NullMarked
package io.lanequeue.schema;

import org.jspecify.annotations.NullMarked;
