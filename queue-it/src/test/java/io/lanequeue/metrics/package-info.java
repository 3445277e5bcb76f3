@NullMarked
package io.lanequeue.metrics;

import org.jspecify.annotations.NullMarked;
