package io.lanequeue.schema;

/** A migration did not run. The message of the cause says which and why; migrations that ran before it stay. */
public final class MigrationFailedException extends LanequeueException {

    private static final long serialVersionUID = 1L;

    MigrationFailedException(String schema, Throwable cause) {
        super(
                "Schema \"" + schema + "\" was not migrated to the current version: " + cause.getMessage()
                        + "\nMend the cause and migrate again; it goes on where it stopped.",
                cause);
    }
}
