package io.lanequeue.interleavings;

import io.lanequeue.testing.SchemaCode;

/** A function of the database without one of its protections. */
record Defect(String function, String protection, String instead) {

    void plantIn(SchemaCode code) {
        code.replace(function, protection, instead);
    }
}
