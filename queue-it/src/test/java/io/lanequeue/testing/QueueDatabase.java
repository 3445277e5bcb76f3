package io.lanequeue.testing;

import io.lanequeue.schema.LanequeueSchema;
import io.lanequeue.schema.jooq.Tables;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** A migrated database and the sessions that a test opened on it. One per wiring and JVM, emptied after each test. */
public final class QueueDatabase {

    private static final Map<Wiring, QueueDatabase> DATABASES = new EnumMap<>(Wiring.class);

    private final PGSimpleDataSource dataSource;
    private final LanequeueSchema schema;
    private final List<Session> sessions = new ArrayList<>();
    private @Nullable Session observer;

    private QueueDatabase(PGSimpleDataSource dataSource, LanequeueSchema schema) {
        this.dataSource = dataSource;
        this.schema = schema;
    }

    /** The database of a wiring, shared by all tests of the JVM. */
    public static synchronized QueueDatabase of(Wiring wiring) {
        return DATABASES.computeIfAbsent(wiring, QueueDatabase::create);
    }

    /** A database of a test's own, for tests that leave statistics, settings or millions of rows behind. */
    public static QueueDatabase create(Wiring wiring) {
        return createIn(TestServer.emptyDatabase(), wiring);
    }

    /** As {@link #create}, in an empty database of another server. */
    public static QueueDatabase createIn(PGSimpleDataSource dataSource, Wiring wiring) {
        wiring.schema().migrate(dataSource);
        // A wait that a test did not expect fails it instead of holding it up.
        dataSource.setOptions(wiring.options() + " -c lock_timeout=20s");
        return new QueueDatabase(dataSource, wiring.schema());
    }

    public LanequeueSchema schema() {
        return schema;
    }

    public PGSimpleDataSource dataSource() {
        return dataSource;
    }

    /** A context that takes its connections from the data source. */
    public DSLContext source() {
        return DSL.using(dataSource, SQLDialect.POSTGRES, schema.settings());
    }

    /** A new connection in autocommit. */
    public Session open() {
        return openBy(dataSource);
    }

    /** A new connection in autocommit, by a way of its own that leads to this database. */
    public Session openBy(DataSource way) {
        try {
            Connection connection = way.getConnection();
            Session session = new Session(connection, schema, this);
            synchronized (sessions) {
                sessions.add(session);
            }
            return session;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * A new connection with autocommit off at the given isolation level; its transaction begins with its first
     * statement.
     */
    public Session begin(Isolation isolation) {
        Session session = open();
        session.begin(isolation);
        return session;
    }

    /** The session that looks at what the others wait for. */
    DSLContext observer() {
        synchronized (sessions) {
            if (observer == null) {
                observer = open();
            }
            return observer.dsl();
        }
    }

    /** Ends every session. */
    public void closeSessions() {
        synchronized (sessions) {
            sessions.forEach(Session::close);
            sessions.clear();
            observer = null;
        }
    }

    /** Ends every session and empties the tables. */
    public void reset() {
        closeSessions();
        empty(open().dsl());
        closeSessions();
    }

    /** Empties the tables; none of the sessions may have a transaction open. */
    public void empty(DSLContext dsl) {
        dsl.truncate(
                        Tables.DISPATCH_OUTBOX,
                        Tables.DISPATCH_OUTBOX_USER_HEADS,
                        Tables.DISPATCH_OUTBOX_DEAD_LETTERS,
                        Tables.EFFECT_QUEUE,
                        Tables.EFFECT_QUEUE_REPO_HEADS)
                .execute();
    }
}
