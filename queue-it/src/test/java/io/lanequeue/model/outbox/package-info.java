/** The model of the dispatch outbox. */
@NullMarked
package io.lanequeue.model.outbox;

import org.jspecify.annotations.NullMarked;
