package io.lanequeue.worker;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.val;

import io.lanequeue.CallAgainException;
import io.lanequeue.StatementFailedException;
import io.lanequeue.internal.Database;
import io.lanequeue.internal.Inputs;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.schema.LanequeueSchema;
import java.time.Duration;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * The short transactions that the worker runs, each on a connection that it takes from the caller's source and gives
 * back. The only place of this library where a transaction is begun.
 */
final class Transactions {

    /** Who gives way so often without anybody else coming through has met something else. */
    private static final int MOST_TRIES = 10;

    /** For how long a statement that is for many waits for a lock. */
    static final Duration PATIENCE = Duration.ofMillis(200);

    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private final Configuration configuration;

    private Transactions(Configuration configuration) {
        this.configuration = configuration;
    }

    static Transactions on(DataSource dataSource, LanequeueSchema schema) {
        return on(DSL.using(dataSource, SQLDialect.POSTGRES, schema.settings()));
    }

    /** @throws InvalidInputException for a context on one connection, whose transaction would be the caller's */
    static Transactions on(DSLContext dsl) {
        return new Transactions(Inputs.source(
                "context of a worker",
                dsl,
                "the worker commits, which on a connection of yours would commit your work"));
    }

    /**
     * As {@link #call}, for what locks: a worker does not wait for one row of somebody's open transaction while all
     * else that it holds waits for the worker.
     *
     * @param patience how long it waits for each lock, in whole milliseconds
     * @throws HeldUpException if it waited in vain
     */
    <T> T patiently(Duration patience, Function<DSLContext, T> call) {
        try {
            return call(transaction -> {
                limitLocks(transaction, patience);
                return call.apply(transaction);
            });
        } catch (StatementFailedException e) {
            if (e.sqlState().equals(LOCK_NOT_AVAILABLE)) {
                throw new HeldUpException(e);
            }
            throw e;
        }
    }

    /** Until the transaction ends, as SET LOCAL does: the connection goes back to its pool as it was. */
    private static void limitLocks(DSLContext transaction, Duration patience) {
        transaction
                .select(function(
                        name("set_config"),
                        SQLDataType.VARCHAR,
                        inline("lock_timeout"),
                        val(Long.toString(patience.toMillis())),
                        inline(true)))
                .fetch();
    }

    /** Runs the call and commits; again from the beginning where the database let it give way. */
    <T> T call(Function<DSLContext, T> call) {
        for (int tries = 1; ; tries++) {
            try {
                return Database.call(
                        () -> configuration.dsl().transactionResult(transaction -> call.apply(transaction.dsl())));
            } catch (CallAgainException e) {
                if (tries == MOST_TRIES) {
                    throw e;
                }
            }
        }
    }
}
