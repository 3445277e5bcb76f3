package io.lanequeue.model;

/** What a queue holds, in memory. Each transaction sees a copy of its own. */
public interface Model<M> {

    M copy();
}
