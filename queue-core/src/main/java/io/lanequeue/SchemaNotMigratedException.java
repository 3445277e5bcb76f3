package io.lanequeue;

import io.lanequeue.schema.LanequeueException;

/**
 * A table, column or function of the queue is not where the statement looked. Run {@code LanequeueSchema.migrate}, and
 * where the schema has another name than {@code lanequeue}, give the {@code DSLContext} the settings of
 * {@code LanequeueSchema.named(...).settings()}.
 */
public final class SchemaNotMigratedException extends LanequeueException {

    private static final long serialVersionUID = 1L;

    public SchemaNotMigratedException(String answer, Throwable cause) {
        super(
                "The queue's schema is missing or older than this library. Run LanequeueSchema.migrate(dataSource); if"
                        + " the schema is not named lanequeue, build the DSLContext with"
                        + " LanequeueSchema.named(...).settings(). The database said: " + answer,
                cause);
    }
}
