package io.lanequeue.benchmark;

/** How many consumers drain a queue together. */
record Consumers(int number) {

    /** What is behind the id of a figure. */
    String suffix() {
        return number == 1 ? "" : ".two";
    }

    @Override
    public String toString() {
        return number == 1 ? "1 consumer" : number + " consumers";
    }
}
