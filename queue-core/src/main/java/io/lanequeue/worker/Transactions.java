package io.lanequeue.worker;

import io.lanequeue.CallAgainException;
import io.lanequeue.internal.Database;
import io.lanequeue.internal.Inputs;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.schema.LanequeueSchema;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/**
 * The short transactions that the worker runs, each on a connection that it takes from the caller's source and gives
 * back. The only place of this library where a transaction is begun.
 */
final class Transactions {

    /** Who gives way so often without anybody else coming through has met something else. */
    private static final int MOST_TRIES = 10;

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
