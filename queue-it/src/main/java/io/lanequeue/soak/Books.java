package io.lanequeue.soak;

import java.io.PrintWriter;

/**
 * All that a soak writes down while it runs.
 *
 * @param events what became of the events
 * @param effects what became of the effects
 * @param losses what must never happen
 * @param happenings what happened else
 */
record Books(EventLedger events, EffectLedger effects, Losses losses, Counts<Happening> happenings) {

    /** Empty books. A loss is printed at once. */
    static Books open(PrintWriter out) {
        var losses = new Losses(out);
        var happenings = new Counts<>(Happening.class);
        return new Books(
                new EventLedger(Plan.LANES, Plan.LEASE, losses, happenings),
                new EffectLedger(Plan.CAP, losses, happenings),
                losses,
                happenings);
    }
}
