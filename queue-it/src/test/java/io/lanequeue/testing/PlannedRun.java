package io.lanequeue.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import org.jooq.DSLContext;

/**
 * A call as it was made, in a transaction that is to be rolled back.
 *
 * @param units how much it was to do
 * @param planCache how its statements were planned
 * @param touched what it touched
 * @param plans of the statements it sent
 */
public record PlannedRun(int units, PlanCache planCache, Touched touched, List<String> plans) {

    /** Prepares the call and makes it as often as it takes for the plan cache to settle; the last time counts. */
    public static PlannedRun of(Session session, PlannedCall.Preparation preparation, int units, PlanCache planCache) {
        DSLContext dsl = session.dsl();
        dsl.execute("set local plan_cache_mode = " + planCache.setting());
        // What other processes touch the server counts for them.
        dsl.execute("set local max_parallel_workers_per_gather = 0");
        ToIntFunction<DSLContext> call = preparation.prepare(dsl, units);
        dsl.execute("savepoint prepared");
        for (int i = 1; i < planCache.executions(); i++) {
            call.applyAsInt(dsl);
            dsl.execute("rollback to savepoint prepared");
        }
        Touched before = Touched.by(session);
        var done = new AtomicInteger();
        List<Sent> sent = Sent.by(dsl, context -> done.set(call.applyAsInt(context)));
        Touched touched = Touched.by(session).since(before);
        assertThat(done).as("what was done").hasValue(units);
        dsl.execute("set local max_parallel_workers_per_gather = default");
        List<String> plans = sent.stream()
                .map(statement -> planCache.explain(dsl, statement.query()))
                .toList();
        return new PlannedRun(units, planCache, touched, plans);
    }

    @Override
    public String toString() {
        return units + " units touched " + touched.tables() + "\n" + String.join("\n", plans);
    }
}
