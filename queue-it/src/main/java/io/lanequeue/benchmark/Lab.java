package io.lanequeue.benchmark;

import java.sql.SQLException;
import java.util.List;

/**
 * Where a scenario is measured, and in which size. Gives it fresh databases.
 *
 * @param form the size
 * @param server the server
 * @param commits whether commits wait for the disk
 */
record Lab(Form form, BenchmarkServer server, Commits commits) {

    private static final List<String> TRIGGERS = List.of(
            "dispatch_outbox_insert_user_head",
            "dispatch_outbox_delete_user_head",
            "dispatch_outbox_truncate_user_heads",
            "dispatch_outbox_refuse_update");

    /** A new database with the library's tables, empty. */
    ScratchDatabase database() throws SQLException {
        return new ScratchDatabase(server, server.createDatabase(commits));
    }

    /**
     * A new database with the library's tables, but without the triggers of the outbox. They are dropped: while a
     * trigger with a transition table is only disabled, an insert still collects its rows for it.
     */
    ScratchDatabase databaseWithoutTriggers() throws SQLException {
        ScratchDatabase database = database();
        for (String trigger : TRIGGERS) {
            database.execute("DROP TRIGGER " + trigger + " ON lanequeue.dispatch_outbox");
        }
        return database;
    }
}
