package io.lanequeue.faults;

/** What one queue has to do. */
interface Load {

    /** Produces until told to stop. */
    void produce(Client client, int number, Progress progress);

    /** Consumes until nothing is produced any more and nothing is left. */
    void consume(Client client, int number, Progress progress);
}
