package io.lanequeue.testing;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The planned calls cost what they say, in every situation: by the plans of their statements, and by what the server
 * says it touched, triggers and functions included. A subclass names the situations in a static method
 * {@code situations}.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("situations")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class PlanContract {

    @Parameter
    protected Situation situation;

    private @Nullable PlannedCall previous;

    protected abstract Backlog backlog();

    protected abstract Stream<? extends PlannedCall> plannedCalls();

    /** How much the call is to do at once, one after the other: the smallest and the largest batch. */
    protected IntStream batchesOf(PlannedCall call) {
        return call.units().extremeBatches(situation.size());
    }

    private BacklogDatabase database() {
        return BacklogDatabase.of(backlog(), situation.size(), situation.shape());
    }

    @AfterEach
    void closeSessions() {
        database().closeSessions();
    }

    Stream<Arguments> cases() {
        return plannedCalls()
                .flatMap(call -> batchesOf(call)
                        .boxed()
                        .flatMap(units ->
                                call.cost().planCaches().map(planCache -> Arguments.of(call, units, planCache))));
    }

    @ParameterizedTest(name = "{0} of {1}, {2}")
    @MethodSource("cases")
    void costsNoMoreThanItSays(PlannedCall call, int units, PlanCache planCache) {
        BacklogDatabase database = database();
        if (!call.equals(previous)) {
            database.tidy();
            previous = call;
        }
        try (Trial trial = database.begin(situation.statistics())) {
            call.cost().assertCovers(PlannedRun.of(trial.session(), call::prepare, units, planCache), database);
        }
    }
}
