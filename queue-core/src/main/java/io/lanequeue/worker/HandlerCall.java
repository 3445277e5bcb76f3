package io.lanequeue.worker;

import java.time.Duration;

/** Calls handlers, and says for how long they were at it. */
record HandlerCall(Timing timing, Audience audience) {

    void run(Work work) throws Exception {
        long begin = timing.nanos();
        try {
            work.run();
        } finally {
            audience.tell(events -> events.handled(Duration.ofNanos(timing.nanos() - begin)));
        }
    }

    /** One call of a handler. */
    interface Work {
        void run() throws Exception;
    }
}
