package io.lanequeue.worker;

import java.time.Duration;
import java.util.function.Consumer;

/** Two who are told the same, the second one also when the first throws. */
record BothEvents(WorkerEvents first, WorkerEvents second) implements WorkerEvents {

    @Override
    public void claimed(int count) {
        tell(events -> events.claimed(count));
    }

    @Override
    public void handled(Duration time) {
        tell(events -> events.handled(time));
    }

    @Override
    public void delivered(int count) {
        tell(events -> events.delivered(count));
    }

    @Override
    public void failed() {
        tell(WorkerEvents::failed);
    }

    @Override
    public void gaveUp() {
        tell(WorkerEvents::gaveUp);
    }

    @Override
    public void released() {
        tell(WorkerEvents::released);
    }

    @Override
    public void lost() {
        tell(WorkerEvents::lost);
    }

    @Override
    public void requeued(int count) {
        tell(events -> events.requeued(count));
    }

    @Override
    public void ownsShards(int count) {
        tell(events -> events.ownsShards(count));
    }

    @Override
    public void databaseWentAway() {
        tell(WorkerEvents::databaseWentAway);
    }

    @Override
    public void databaseCameBack() {
        tell(WorkerEvents::databaseCameBack);
    }

    private void tell(Consumer<WorkerEvents> happening) {
        new Audience(first).tell(happening);
        new Audience(second).tell(happening);
    }
}
