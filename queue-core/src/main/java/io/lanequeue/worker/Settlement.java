package io.lanequeue.worker;

/**
 * What the database said to a report.
 *
 * @param delivered how many events or effects it recorded as delivered
 */
record Settlement(Ending ending, int delivered) {}
