/** The soak in short, and proof that it notices: each kind of loss is planted once. */
@NullMarked
package io.lanequeue.soak;

import org.jspecify.annotations.NullMarked;
