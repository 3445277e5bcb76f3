package io.lanequeue.soak;

/** What happens in a soak and is no loss. */
enum Happening {
    APPENDED("events appended"),
    DELIVERED("deliveries"),
    DELIVERED_AGAIN("deliveries again"),
    LEASE_LOST("leases of which a worker was told that they are lost"),
    LANE_RETRIED("lanes that backed off"),
    LANE_BLOCKED("lanes blocked"),
    LANE_FREED("lanes freed by the operator, to be tried again"),
    HEAD_DISCARDED("heads discarded by the operator"),
    EVENT_REMOVED("events deleted by plain SQL"),
    REMOVED_AND_DELIVERED_LATE("removed events that a worker without its lease delivered late"),
    ENQUEUED("effects enqueued"),
    STOOD_FOR("enqueues for which a waiting effect stands"),
    RUN("runs"),
    RUN_AGAIN("runs again"),
    CLAIM_LOST("claims of which a worker was told that they are lost"),
    EFFECT_RETRIED("effects retried"),
    EFFECT_FAILED("effects failed for good, and redriven"),
    EFFECT_REQUEUED("effects taken back from silent workers"),
    EFFECT_REMOVED("effects deleted by plain SQL"),
    EFFECT_PRUNED("effects pruned"),
    GIVEN_BACK("lanes and effects given back untried"),
    ROLLED_BACK("transactions rolled back on purpose"),
    CALLED_AGAIN("transactions that gave way (40001, 40P01)"),
    IN_DOUBT_COMMITTED("commits without an answer that had happened"),
    IN_DOUBT_LOST("commits without an answer that had not");

    private final String words;

    Happening(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }
}
