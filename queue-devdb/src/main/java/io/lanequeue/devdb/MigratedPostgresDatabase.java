package io.lanequeue.devdb;

import java.sql.Connection;
import java.sql.SQLException;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.database.postgresql.PostgreSQLConfigurationExtension;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.meta.postgres.PostgresDatabase;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The source of jOOQ's code generator: a scratch database on a real server that has just run the migrations.
 *
 * <p>Properties: {@code migrations}, the directory of the migrations; {@code schema}, the name they run under;
 * {@code postgres.major}. Modelled on jOOQ's own {@code DDLDatabase}.
 */
public final class MigratedPostgresDatabase extends PostgresDatabase {

    private @Nullable DevPostgres postgres;
    private @Nullable Connection connection;

    @Override
    protected DSLContext create0() {
        if (connection == null) {
            postgres = DevPostgres.start(getProperties().getProperty("postgres.major"));
            connection = migrated(postgres.createDatabase());
            setConnection(connection);
        }
        return DSL.using(connection, SQLDialect.POSTGRES);
    }

    private Connection migrated(PGSimpleDataSource database) {
        FluentConfiguration flyway = Flyway.configure()
                .dataSource(database)
                .schemas(getProperties().getProperty("schema"))
                .locations("filesystem:" + getProperties().getProperty("migrations"))
                .table("lanequeue_schema_history")
                .loggers("slf4j");
        // A lock held in an open transaction is waited for by DROP INDEX CONCURRENTLY, for ever.
        flyway.getConfigurationExtension(PostgreSQLConfigurationExtension.class).setTransactionalLock(false);
        flyway.load().migrate();
        try {
            return database.getConnection();
        } catch (SQLException e) {
            throw new IllegalStateException("No connection to the migrated database", e);
        }
    }

    @Override
    public void close() {
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException e) {
                throw new IllegalStateException("The migrated database did not close", e);
            }
            connection = null;
        }
        if (postgres != null) {
            postgres.close();
            postgres = null;
        }
        super.close();
    }
}
