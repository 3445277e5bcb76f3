package io.lanequeue.worker;

import java.time.Duration;

/** Two who are told the same. */
record BothEvents(WorkerEvents first, WorkerEvents second) implements WorkerEvents {

    @Override
    public void claimed(int count) {
        first.claimed(count);
        second.claimed(count);
    }

    @Override
    public void handled(Duration time) {
        first.handled(time);
        second.handled(time);
    }

    @Override
    public void delivered(int count) {
        first.delivered(count);
        second.delivered(count);
    }

    @Override
    public void failed() {
        first.failed();
        second.failed();
    }

    @Override
    public void gaveUp() {
        first.gaveUp();
        second.gaveUp();
    }

    @Override
    public void released() {
        first.released();
        second.released();
    }

    @Override
    public void lost() {
        first.lost();
        second.lost();
    }

    @Override
    public void requeued(int count) {
        first.requeued(count);
        second.requeued(count);
    }

    @Override
    public void ownsShards(int count) {
        first.ownsShards(count);
        second.ownsShards(count);
    }

    @Override
    public void databaseWentAway() {
        first.databaseWentAway();
        second.databaseWentAway();
    }

    @Override
    public void databaseCameBack() {
        first.databaseCameBack();
        second.databaseCameBack();
    }
}
