package io.lanequeue.demo;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;

import io.lanequeue.command.CommandFailedException;
import io.lanequeue.command.Session;
import io.lanequeue.devdb.DevPostgres;
import io.lanequeue.schema.LanequeueSchema;
import java.sql.SQLException;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** The database of a run: the given one as it is, or a scratch one that is dropped on {@link #close()}. */
final class DemoDatabase implements AutoCloseable {

    private final PGSimpleDataSource dataSource;
    private final @Nullable DevPostgres server;

    private DemoDatabase(PGSimpleDataSource dataSource, @Nullable DevPostgres server) {
        this.dataSource = dataSource;
        this.server = server;
        // Makes one statement of a JDBC batch of inserts.
        dataSource.setReWriteBatchedInserts(true);
    }

    /** The database that the URL names; without a URL a scratch database. */
    static DemoDatabase open(@Nullable String url) {
        if (url == null) {
            DevPostgres server = DevPostgres.start(System.getProperty("postgres.major", "17"));
            return new DemoDatabase(server.createDatabase(), server);
        }
        var dataSource = new PGSimpleDataSource();
        dataSource.setUrl(url);
        return new DemoDatabase(dataSource, null);
    }

    /** Migrates the queue's schema; returns the number of migrations that ran. */
    int migrate() {
        return LanequeueSchema.standard().migrate(dataSource);
    }

    /** Which database it is, and what became of the schema. */
    static String inWords(DSLContext dsl, int migrations) {
        return "Database " + dsl.fetchValue(function("current_database", SQLDataType.VARCHAR)) + ", PostgreSQL "
                + dsl.fetchValue(function("current_setting", SQLDataType.VARCHAR, inline("server_version"))) + "; "
                + (migrations == 0 ? "the schema is current" : migrations + " migrations ran");
    }

    /** A new connection, in autocommit. */
    Session connect() {
        try {
            var connection = dataSource.getConnection();
            var settings = LanequeueSchema.standard().settings();
            return new Session(connection, DSL.using(connection, SQLDialect.POSTGRES, settings));
        } catch (SQLException e) {
            throw new CommandFailedException("No connection to the database", e);
        }
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
    }
}
