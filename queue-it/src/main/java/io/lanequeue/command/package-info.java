/** What the commands of this module share: their threads, their retries, and how they print. */
@NullMarked
package io.lanequeue.command;

import org.jspecify.annotations.NullMarked;
