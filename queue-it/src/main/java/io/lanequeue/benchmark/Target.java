package io.lanequeue.benchmark;

/** What a figure has to reach. */
record Target(String relation, double bound) {

    private static final String AT_MOST = "≤";
    private static final String AT_LEAST = "≥";

    static Target atMost(double bound) {
        return new Target(AT_MOST, bound);
    }

    static Target atLeast(double bound) {
        return new Target(AT_LEAST, bound);
    }

    boolean isMetBy(double value) {
        return relation.equals(AT_MOST) ? value <= bound : value >= bound;
    }
}
