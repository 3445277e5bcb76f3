/** Classes that break each of the rules, to show that the rules find them. */
@NullMarked
package io.lanequeue.rules.broken;

import org.jspecify.annotations.NullMarked;
