package io.lanequeue.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whom an interruption reaches of the handlers that one thread calls one after the other. */
class HandlingTest {

    private final Handling handling = new Handling();

    @AfterEach
    void leave() {
        handling.leave();
    }

    /** The coordinator has looked which handlers take too long, and the next one began meanwhile. */
    @Test
    void theTimeLimitOfOneHandlerDoesNotHitTheNext() {
        handling.enter();
        handling.begin(1);
        assertThat(handling.lastsSince(5)).isTrue();
        handling.begin(6);

        handling.limit(5);

        assertThat(handling.cancellation()).isNull();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    /** The thread that was interrupted would call it. */
    @Test
    void noHandlerBeginsBehindOneThatTookTooLong() {
        handling.enter();
        handling.begin(1);

        handling.limit(5);

        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThat(handling.begin(6)).isFalse();
    }
}
