package io.lanequeue.soak;

/** What must never happen, whatever goes wrong. */
public enum Loss {
    EVENT_LOST("events acknowledged, neither delivered nor removed"),
    EVENT_LEFT("events left after the drain"),
    EVENT_UNKNOWN("deliveries of events that did not commit"),
    OUT_OF_ORDER("events delivered after a later one of their lane"),
    LANE_LEASED_TWICE("lanes handed out while another lease ran"),
    FINISHED_UNDER_LOST_LEASE("outcomes that counted under a lost lease"),
    LANE_HEAD_WRONG("lanes without a head, or with a wrong one"),
    EFFECT_LOST("effects acknowledged, neither run nor removed"),
    EFFECT_LEFT("effects left after the drain"),
    EFFECT_UNKNOWN("runs of effects that did not commit"),
    DONE_WITHOUT_RUN("effects done without being run"),
    CAP_PASSED("repositories over their cap"),
    EFFECT_HELD_TWICE("effects handed out while another claim held"),
    REPORTED_UNDER_LOST_CLAIM("reports that counted under a lost claim"),
    REPO_HEAD_WRONG("repositories with no head, or a wrong count");

    private final String words;

    Loss(String words) {
        this.words = words;
    }

    public String words() {
        return words;
    }
}
