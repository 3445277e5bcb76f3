package io.lanequeue;

import io.lanequeue.schema.LanequeueException;

/**
 * The connection, or the server, was lost before the database's answer arrived: SQLSTATE class 08, 57P01 to 57P05, or
 * whatever the server said last, such as 25P03 where it ended a transaction that was idle for too long. Take a new
 * connection.
 *
 * <p>In a transaction that was not committed nothing happened: run it again from its beginning. In autocommit the call
 * may have happened. It is safe to call again: nothing is delivered out of order, a cap is kept, and what the first
 * call did is not undone. But what was asked for may then have happened twice, and the second answer does not tell what
 * the first one did:
 *
 * <ul>
 *   <li>An append or enqueue is there twice. An effect with a dedupe key is not, as long as the first one waits.
 *   <li>Lanes and effects that were claimed are held by nobody: lanes until the lease's time is over, effects until
 *       {@code requeueStale} takes them. The second call claims others.
 *   <li>A report says {@code LEASE_LOST} or {@code CLAIM_LOST}, whether the first call took effect or another worker
 *       has taken over. An extension extends again.
 *   <li>An operator's change finds nothing to change; a purge, a prune, a requeue or a deletion of a lane takes what is
 *       there by now.
 * </ul>
 *
 * <p>If the connection is lost at a commit of the caller's, all of this holds for the whole transaction.
 */
public final class ConnectionLostException extends LanequeueException {

    private static final long serialVersionUID = 1L;

    private final String sqlState;

    public ConnectionLostException(String sqlState, String answer, Throwable cause) {
        super(
                "The connection was lost (SQLSTATE " + sqlState
                        + "). In a transaction nothing happened; in autocommit the call may have happened. Call again"
                        + " on a new connection. The last answer: " + answer,
                cause);
        this.sqlState = sqlState;
    }

    /** As the server or the driver gave it. */
    public String sqlState() {
        return sqlState;
    }
}
