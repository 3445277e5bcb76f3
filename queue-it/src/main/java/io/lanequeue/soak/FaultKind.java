package io.lanequeue.soak;

/** The kinds of faults. */
enum FaultKind {
    BACKEND_TERMINATED("a connection terminated by the server"),
    CONNECTION_BROKEN_OFF("a connection broken off by the client, in the middle"),
    LANE_WORKER_DIED("a worker that died with lanes in hand"),
    LANE_WORKER_PAUSED("a worker silent past its leases, then reporting"),
    EFFECT_WORKER_DIED("a worker that died with effects in hand"),
    EFFECT_WORKER_PAUSED("a worker silent past its claims, then reporting"),
    SNAPSHOT_HELD("an old snapshot held open"),
    EVENTS_DELETED("events deleted by plain SQL"),
    EFFECTS_DELETED("effects deleted by plain SQL"),
    HEADS_REPAIRED("repair of both queues under load"),
    SERVER_KILLED("the server killed and restarted");

    private final String words;

    FaultKind(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }
}
