/** What breaks around the queues: sessions, connections, servers, disks, clients. Nothing is lost by it. */
@NullMarked
package io.lanequeue.faults;

import org.jspecify.annotations.NullMarked;
