package io.lanequeue.faults;

import io.lanequeue.devdb.DurablePostgres;
import io.lanequeue.schema.LanequeueSchema;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jooq.DSLContext;

/** A durable server with both queues that is killed under load. Who connects while it is down waits until it is up. */
final class KillableServer implements Client.Connector, AutoCloseable {

    private final DurablePostgres postgres;
    private final ReadWriteLock outage = new ReentrantReadWriteLock();

    private KillableServer(DurablePostgres postgres) {
        this.postgres = postgres;
    }

    static KillableServer create(Path directory) {
        var postgres = DurablePostgres.create(directory);
        postgres.start();
        LanequeueSchema.standard().migrate(postgres.dataSource());
        return new KillableServer(postgres);
    }

    @Override
    public Connection connect() throws SQLException {
        outage.readLock().lock();
        try {
            return postgres.dataSource().getConnection();
        } finally {
            outage.readLock().unlock();
        }
    }

    /** SIGKILL to all its processes, and a start on what they left behind. */
    void killAndRestart(AfterRecovery check) throws SQLException {
        outage.writeLock().lock();
        try {
            postgres.kill();
            postgres.start();
            lookBeforeOthers(check);
        } finally {
            outage.writeLock().unlock();
        }
    }

    /** SIGKILL to the process of one session, at best one that is at work; the server then throws out all others. */
    void killOneSession(AfterRecovery check) throws SQLException {
        outage.writeLock().lock();
        try {
            postgres.killOneProcess(pidOfASession());
            lookBeforeOthers(check);
        } finally {
            outage.writeLock().unlock();
        }
    }

    private int pidOfASession() throws SQLException {
        try (Connection connection = postgres.dataSource().getConnection()) {
            return Client.dsl(connection)
                    .fetchSingle("select pid from pg_stat_activity"
                            + " where backend_type = 'client backend' and pid <> pg_backend_pid()"
                            + " order by state = 'active' desc limit 1")
                    .get(0, int.class);
        }
    }

    private void lookBeforeOthers(AfterRecovery check) throws SQLException {
        try (Connection connection = postgres.dataSource().getConnection()) {
            check.look(Client.dsl(connection));
        }
    }

    @Override
    public void close() {
        postgres.close();
    }

    /** A look at what a recovery has left, before anybody goes on. */
    interface AfterRecovery {
        void look(DSLContext dsl);
    }
}
