package io.lanequeue.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jooq.DSLContext;
import org.jooq.ExecuteEventHandler;
import org.jooq.ExecuteListener;
import org.jooq.Query;

/**
 * A statement that a call sent.
 *
 * @param sql its text
 * @param query the same with its values
 */
public record Sent(String sql, Query query) {

    /** What a call sends through a context like the given one, in order. */
    public static List<Sent> by(DSLContext dsl, Consumer<DSLContext> call) {
        List<Sent> sent = new ArrayList<>();
        call.accept(derived(
                dsl,
                context -> sent.add(
                        new Sent(Objects.requireNonNull(context.sql()), Objects.requireNonNull(context.query())))));
        return sent;
    }

    /** A context like the given one, with somebody who is told of each statement before it is sent. */
    public static DSLContext listened(DSLContext dsl, Consumer<String> sql) {
        return derived(dsl, context -> sql.accept(Objects.requireNonNull(context.sql())));
    }

    private static DSLContext derived(DSLContext dsl, ExecuteEventHandler listener) {
        return dsl.configuration()
                .derive(ExecuteListener.onExecuteStart(listener))
                .dsl();
    }
}
