package io.lanequeue.worker;

/**
 * What became of the lanes or effects that a worker had in hand when it was told to stop.
 *
 * @param delivered all that was claimed of them was delivered
 * @param failed they failed, and that was recorded
 * @param released given back: not tried, or of a lane's events only the first ones
 * @param lost another worker has them
 * @param left their handlers have not returned, or the database did not answer; a claim without an answer counts as
 *     one. They stay leased, so that nobody works beside a handler that still runs; when the lease is over another
 *     worker gets them. What such a claim still brings is given back at once
 */
public record StopReport(int delivered, int failed, int released, int lost, int left) {

    /** Whether everything came to an end in time. */
    public boolean isClean() {
        return left == 0;
    }
}
