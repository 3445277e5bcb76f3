@NullMarked
package io.lanequeue;

import org.jspecify.annotations.NullMarked;
