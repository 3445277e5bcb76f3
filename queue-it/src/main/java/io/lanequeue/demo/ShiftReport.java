package io.lanequeue.demo;

import io.lanequeue.command.Pace;

/**
 * What this process did.
 *
 * @param appended how fast it appended
 * @param delivered how fast it delivered all but what waited for the operator
 * @param tally its counts
 */
record ShiftReport(Pace appended, Pace delivered, Tally tally) {}
