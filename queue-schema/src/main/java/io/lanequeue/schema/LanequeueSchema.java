package io.lanequeue.schema;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.database.postgresql.PostgreSQLConfigurationExtension;
import org.jooq.conf.MappedSchema;
import org.jooq.conf.RenderMapping;
import org.jooq.conf.Settings;

/**
 * The database schema that holds the queues: its name, its migrations, and the jOOQ settings that lead there.
 *
 * <p>Migrations lie under {@code db/lanequeue} on the class path, away from the application's own, and have their own
 * history table, {@code lanequeue_schema_history}, in this schema. Immutable and thread-safe.
 */
public final class LanequeueSchema {

    /** The name the generated classes carry. */
    public static final String DEFAULT_NAME = "lanequeue";

    private static final String MIGRATIONS = "classpath:db/lanequeue";
    private static final String HISTORY_TABLE = "lanequeue_schema_history";
    private static final String NOTIFY_MIGRATIONS = "classpath:db/lanequeue-notify";
    private static final String NOTIFY_HISTORY_TABLE = "lanequeue_notify_history";
    private static final int MAX_NAME_BYTES = 63;

    private final String name;

    private LanequeueSchema(String name) {
        this.name = name;
    }

    /** The schema {@value #DEFAULT_NAME}. */
    public static LanequeueSchema standard() {
        return new LanequeueSchema(DEFAULT_NAME);
    }

    /**
     * A schema of another name. It may hold other tables too.
     *
     * @throws InvalidInputException if the name is blank, longer than 63 bytes, or cannot be stored, or holds quotes,
     *     dollar signs or control characters
     */
    public static LanequeueSchema named(String name) {
        boolean storable = !name.isBlank()
                && StandardCharsets.UTF_8.newEncoder().canEncode(name)
                && name.getBytes(StandardCharsets.UTF_8).length <= MAX_NAME_BYTES;
        if (!storable || name.chars().anyMatch(c -> c == '"' || c == '\'' || c == '$' || Character.isISOControl(c))) {
            throw new InvalidInputException(
                    "schema name '" + name + "'",
                    "must have 1 to 63 bytes and no quotes, dollar signs or control characters");
        }
        return new LanequeueSchema(name);
    }

    /** The name, unquoted. */
    public String name() {
        return name;
    }

    /**
     * Migrates to the current version, creating the schema where it is missing. Does nothing when it is current. Safe
     * to call from several processes at once: one migrates, the others wait for it. Takes up to three connections at a
     * time.
     *
     * <p>Runs at READ COMMITTED, which the backfills need, and leaves the connections' isolation as it found it. Each
     * migration is a transaction, except those that drop an index concurrently; the header of each file under
     * {@code db/lanequeue} says what it locks and for how long.
     *
     * @param dataSource connections as a role that may create the schema, or that owns it; to the server itself, since
     *     a pool in transaction mode would give the lock of the migration to a session that is somebody else's next
     * @return the number of migrations that ran, 0 when the schema was current
     * @throws MigrationFailedException if a migration fails
     */
    public int migrate(DataSource dataSource) {
        return migrate(dataSource, MIGRATIONS, HISTORY_TABLE);
    }

    /**
     * Lets each statement that appends events or enqueues effects send a notification, for workers that listen.
     * Optional: workers look without it too, after pauses that grow to their poll interval. Call it after
     * {@link #migrate}; safe to call again.
     *
     * <p>It has its price: PostgreSQL commits transactions that notify one after the other, in the whole cluster. Its
     * migrations lie under {@code db/lanequeue-notify} and have a history table of their own,
     * {@code lanequeue_notify_history}. To take it back, drop the triggers {@code dispatch_outbox_notify} and
     * {@code effect_queue_notify}, the function {@code notify_workers} and that table.
     *
     * @param dataSource connections as the owner of the tables
     * @return the number of migrations that ran, 0 when there was nothing to do
     * @throws MigrationFailedException if a migration fails
     */
    public int migrateNotifications(DataSource dataSource) {
        return migrate(dataSource, NOTIFY_MIGRATIONS, NOTIFY_HISTORY_TABLE);
    }

    private int migrate(DataSource dataSource, String location, String historyTable) {
        FluentConfiguration flyway = Flyway.configure(LanequeueSchema.class.getClassLoader())
                .dataSource(new ReadCommittedDataSource(dataSource))
                .schemas(name)
                .locations(location)
                .table(historyTable)
                // In a schema that holds other tables, start at the first migration, not after it.
                .baselineOnMigrate(true)
                .baselineVersion("0");
        lockOutsideOfTransactions(flyway);
        // Flyway's own lock comes too late for the check whether the schema needs a baseline.
        try {
            return MigrationLock.holding(dataSource, name, () -> flyway.load().migrate().migrationsExecuted);
        } catch (FlywayException | SQLException e) {
            throw new MigrationFailedException(name, e);
        }
    }

    /** A lock held in an open transaction is waited for by DROP INDEX CONCURRENTLY, for ever. */
    private static void lockOutsideOfTransactions(FluentConfiguration flyway) {
        try {
            flyway.getConfigurationExtension(PostgreSQLConfigurationExtension.class)
                    .setTransactionalLock(false);
        } catch (NoSuchMethodError e) {
            // Flyway before 11.14. Later ones take it by this name only where Jackson is on the class path.
            flyway.configuration(Map.of("flyway.postgresql.transactional.lock", "false"));
        }
    }

    /**
     * New jOOQ settings under which the generated classes, and with them every call of the library, render this
     * schema's name. To combine them with settings of your own, take {@link #renderMapping()}.
     */
    public Settings settings() {
        return new Settings().withRenderMapping(renderMapping());
    }

    /** The mapping from the generated classes' schema name to this one. */
    public RenderMapping renderMapping() {
        return new RenderMapping()
                .withSchemata(new MappedSchema().withInput(DEFAULT_NAME).withOutput(name));
    }
}
