package io.lanequeue.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.worker.Witness.Happening;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BothEventsTest {

    private final Witness first = new Witness();
    private final Witness second = new Witness();

    @ParameterizedTest
    @EnumSource
    void bothAreToldOfEverything(Happening happening) {
        tell(first.and(second), happening);

        for (Happening other : Happening.values()) {
            int told = other == happening ? 1 : 0;
            assertThat(first.count(other)).isEqualTo(told);
            assertThat(second.count(other)).isEqualTo(told);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theSecondIsToldThoughTheFirstThrows(Happening happening) {
        var throwing = (WorkerEvents) Proxy.newProxyInstance(
                WorkerEvents.class.getClassLoader(),
                new Class<?>[] {WorkerEvents.class},
                (proxy, method, arguments) -> {
                    throw new IllegalStateException("by the test");
                });

        tell(new BothEvents(throwing, second), happening);

        assertThat(second.count(happening)).isEqualTo(1);
    }

    private static void tell(WorkerEvents events, Happening happening) {
        switch (happening) {
            case CLAIMED -> events.claimed(1);
            case HANDLED -> events.handled(Duration.ofSeconds(1));
            case DELIVERED -> events.delivered(1);
            case FAILED -> events.failed();
            case GAVE_UP -> events.gaveUp();
            case RELEASED -> events.released();
            case LOST -> events.lost();
            case REQUEUED -> events.requeued(1);
            case SHARED -> events.ownsShards(1);
            case WENT_AWAY -> events.databaseWentAway();
            case CAME_BACK -> events.databaseCameBack();
        }
    }
}
