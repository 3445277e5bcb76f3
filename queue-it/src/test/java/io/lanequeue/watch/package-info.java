@NullMarked
package io.lanequeue.watch;

import org.jspecify.annotations.NullMarked;
