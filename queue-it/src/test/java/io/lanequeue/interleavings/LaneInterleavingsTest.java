package io.lanequeue.interleavings;

import java.util.List;

class LaneInterleavingsTest extends InterleavingsContract<Lane, LaneLedger> {

    LaneInterleavingsTest() {
        super("lanes", List.of(LaneOperation.values()));
    }
}
