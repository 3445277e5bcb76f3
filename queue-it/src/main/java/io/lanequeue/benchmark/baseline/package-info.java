/** What the library is compared with: queues of other shapes, written as well as plain SQL and JDBC allow. */
@NullMarked
package io.lanequeue.benchmark.baseline;

import org.jspecify.annotations.NullMarked;
