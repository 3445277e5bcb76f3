package io.lanequeue.interleavings;

/**
 * What became of two transactions.
 *
 * @param firstRefusal why the first one could not commit; empty if it could
 * @param waits whether the second call waited for the first transaction
 * @param refusal why the second one could not commit; empty if it could
 */
record Outcome(String firstRefusal, boolean waits, String refusal) {

    /** Something that must never be. */
    static final Outcome VIOLATION = new Outcome("violation", false, "violation");

    @Override
    public String toString() {
        if (!firstRefusal.isEmpty()) {
            return "first " + firstRefusal;
        }
        if (refusal.isEmpty()) {
            return waits ? "waits" : "proceeds";
        }
        return waits ? "waits, " + refusal : refusal;
    }
}
