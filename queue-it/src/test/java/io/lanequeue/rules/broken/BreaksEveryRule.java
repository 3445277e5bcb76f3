package io.lanequeue.rules.broken;

import io.lanequeue.devdb.DevPostgres;
import io.lanequeue.schema.jooq.tables.records.DispatchOutboxRecord;
import io.micrometer.core.instrument.Metrics;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Select;
import org.jooq.impl.DSL;
import org.postgresql.PGConnection;
import org.slf4j.LoggerFactory;

/** All that the design forbids, short of what depends on a package. */
public final class BreaksEveryRule {

    /** A failure that has a root of its own. */
    public static final class StrayException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** What must not be called, by method references. */
    public static final class ByReference {

        final Transaction<Connection> commit = Connection::commit;
        final BiFunction<DSLContext, String, Integer> sql = DSLContext::execute;
        final Function<Select<?>, Condition> exists = DSL::exists;
        final Supplier<Instant> now = Instant::now;

        interface Transaction<T> {
            void end(T transaction) throws SQLException;
        }
    }

    private DSLContext kept;

    public BreaksEveryRule(DSLContext dsl) {
        this.kept = dsl;
    }

    public void use(DSLContext dsl, boolean eagerly) {
        kept = dsl;
        if (eagerly) {
            kept.transaction(configuration -> configuration.dsl().execute("select 1"));
        }
    }

    public Select<?> exists(DSLContext dsl) {
        return dsl.selectOne().whereExists(dsl.selectOne());
    }

    public void dependOnTheBuild(DevPostgres postgres) {
        postgres.close();
    }

    public List<DispatchOutboxRecord> generated() {
        return List.of();
    }

    public Instant commit(Connection connection) throws SQLException {
        connection.unwrap(PGConnection.class).getNotifications();
        connection.commit();
        Thread.yield();
        Metrics.counter("commits").increment();
        LoggerFactory.getLogger(BreaksEveryRule.class).info("committed");
        return Instant.now();
    }
}
