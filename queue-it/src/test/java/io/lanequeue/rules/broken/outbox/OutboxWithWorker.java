package io.lanequeue.rules.broken.outbox;

import io.lanequeue.worker.WorkerEvents;

/** A statement that uses a worker. */
final class OutboxWithWorker {

    final WorkerEvents events = new WorkerEvents() {};
}
