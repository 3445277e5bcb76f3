package io.lanequeue.worker;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jooq.DSLContext;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.impl.DefaultExecuteListenerProvider;

/** The statements that are sent through a context. */
final class SentStatements {

    private final List<String> sent = new CopyOnWriteArrayList<>();

    /** The context, listened to. */
    DSLContext of(DSLContext dsl) {
        return dsl.configuration()
                .derive(new DefaultExecuteListenerProvider(new ExecuteListener() {
                    @Override
                    public void executeStart(ExecuteContext context) {
                        sent.add(String.valueOf(context.sql()));
                    }
                }))
                .dsl();
    }

    List<String> all() {
        return List.copyOf(sent);
    }

    void clear() {
        sent.clear();
    }
}
