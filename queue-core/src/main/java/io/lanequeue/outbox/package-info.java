/**
 * The dispatch outbox: events for users, delivered strictly in order per user.
 *
 * <p>{@link io.lanequeue.outbox.OutboxProducer} appends, {@link io.lanequeue.outbox.OutboxConsumer} claims and reports
 * outcomes, {@link io.lanequeue.outbox.OutboxOperator} looks after lanes and dead letters,
 * {@link io.lanequeue.outbox.OutboxAudit} checks and repairs. All take the caller's {@code DSLContext} and work in
 * whatever transaction it is in; none begins, commits or rolls back one.
 *
 * <p>Besides what each call names, every call may throw {@link io.lanequeue.SchemaNotMigratedException},
 * {@link io.lanequeue.ConnectionLostException} and {@link io.lanequeue.StatementFailedException}; one that changes
 * something also {@link io.lanequeue.ReadOnlyDatabaseException}, and {@link io.lanequeue.schema.InvalidInputException}
 * for a value that the database refuses. In a SERIALIZABLE transaction every call may throw
 * {@link io.lanequeue.CallAgainException}.
 */
@NullMarked
package io.lanequeue.outbox;

import org.jspecify.annotations.NullMarked;
