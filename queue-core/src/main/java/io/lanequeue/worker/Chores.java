package io.lanequeue.worker;

/** What a worker does now and then beside its claims. For the coordinator's thread. */
interface Chores {

    /** Does what is due at that moment, in bounded steps; to be called when something is. */
    void run(long now);

    /** When the next is due. */
    long next();

    /** For a queue that needs nothing beside claims and reports. */
    static Chores none() {
        return new Chores() {
            @Override
            public void run(long now) {}

            @Override
            public long next() {
                return Long.MAX_VALUE;
            }
        };
    }
}
