/**
 * The demo: reads a file of events, appends them from several producers, delivers them with several workers through a
 * worker's death and a failing event, and proves from its own tables that nothing was lost and every lane kept its
 * order. {@link io.lanequeue.demo.OutboxDemo} is the command. Its second part, {@code EffectsDemo}, has two dispatchers
 * drain the effect queue of many repositories, one of which dies.
 */
@NullMarked
package io.lanequeue.demo;

import org.jspecify.annotations.NullMarked;
