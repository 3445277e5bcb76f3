/** What the tests stand on: databases that ran the migrations, and sessions that can be made to wait for each other. */
@NullMarked
package io.lanequeue.testing;

import org.jspecify.annotations.NullMarked;
