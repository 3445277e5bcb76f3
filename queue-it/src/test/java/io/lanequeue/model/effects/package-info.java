/** The model of the effect queue. */
@NullMarked
package io.lanequeue.model.effects;

import org.jspecify.annotations.NullMarked;
