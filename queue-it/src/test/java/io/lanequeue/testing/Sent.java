package io.lanequeue.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.Query;
import org.jooq.impl.DefaultExecuteListenerProvider;

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
        Configuration listened = dsl.configuration().derive(new DefaultExecuteListenerProvider(new ExecuteListener() {
            @Override
            public void executeStart(ExecuteContext context) {
                sent.add(new Sent(Objects.requireNonNull(context.sql()), Objects.requireNonNull(context.query())));
            }
        }));
        call.accept(listened.dsl());
        return sent;
    }
}
