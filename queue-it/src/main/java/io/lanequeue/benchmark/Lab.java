package io.lanequeue.benchmark;

import io.lanequeue.schema.LanequeueSchema;
import java.sql.SQLException;

/**
 * Where a scenario is measured, and in which size. Gives it fresh databases.
 *
 * @param form the size
 * @param server the server
 * @param commits whether commits wait for the disk
 */
record Lab(Form form, BenchmarkServer server, Commits commits) {

    /** A new database with the library's tables, empty. */
    ScratchDatabase database() throws SQLException {
        return new ScratchDatabase(server, server.createDatabase(commits));
    }

    /** A new database with the library's tables, empty, where appends and enqueues notify. */
    ScratchDatabase databaseWithNotifications() throws SQLException {
        ScratchDatabase database = database();
        LanequeueSchema.standard().migrateNotifications(database.dataSource());
        return database;
    }

    /**
     * A new database with the library's tables, but without the triggers of the outbox. They are dropped: while a
     * trigger with a transition table is only disabled, an insert still collects its rows for it.
     */
    ScratchDatabase databaseWithoutTriggers() throws SQLException {
        ScratchDatabase database = database();
        database.execute("""
                DO $$
                DECLARE
                    trigger name;
                BEGIN
                    FOR trigger IN SELECT tgname FROM pg_trigger
                                   WHERE tgrelid = 'lanequeue.dispatch_outbox'::regclass AND NOT tgisinternal LOOP
                        EXECUTE format('DROP TRIGGER %I ON lanequeue.dispatch_outbox', trigger);
                    END LOOP;
                END
                $$""");
        return database;
    }
}
