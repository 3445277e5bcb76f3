package io.lanequeue.soak;

import org.jooq.DSLContext;

/** What is done in one transaction. */
@FunctionalInterface
interface Work<T> {

    T in(DSLContext transaction) throws InterruptedException;
}
