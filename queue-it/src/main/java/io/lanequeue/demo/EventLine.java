package io.lanequeue.demo;

import io.lanequeue.outbox.NewEvent;

/** A valid line: its number, from 1, and its event. */
record EventLine(int number, NewEvent event) {}
