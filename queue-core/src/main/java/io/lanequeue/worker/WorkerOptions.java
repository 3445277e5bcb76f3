package io.lanequeue.worker;

import io.lanequeue.internal.Inputs;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What both kinds of worker can be told, beside what they claim. */
record WorkerOptions(
        Duration pollInterval,
        Duration timeLimit,
        RetryPolicy retryPolicy,
        WorkerEvents events,
        @Nullable Notifications notifications) {

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(30);

    WorkerOptions {
        Inputs.duration("poll interval", pollInterval, SHORTEST, LONGEST);
        Inputs.duration("time limit of handlers", timeLimit, SHORTEST, LONGEST);
    }

    static WorkerOptions standard() {
        return new WorkerOptions(
                Duration.ofSeconds(1), Duration.ofMinutes(10), RetryPolicy.standard(), new WorkerEvents() {}, null);
    }

    WorkerOptions withPollInterval(Duration interval) {
        return new WorkerOptions(interval, timeLimit, retryPolicy, events, notifications);
    }

    WorkerOptions withTimeLimit(Duration limit) {
        return new WorkerOptions(pollInterval, limit, retryPolicy, events, notifications);
    }

    WorkerOptions withRetryPolicy(RetryPolicy policy) {
        return new WorkerOptions(pollInterval, timeLimit, policy, events, notifications);
    }

    WorkerOptions withEvents(WorkerEvents listener) {
        return new WorkerOptions(pollInterval, timeLimit, retryPolicy, listener, notifications);
    }

    WorkerOptions withNotifications(Notifications source) {
        return new WorkerOptions(pollInterval, timeLimit, retryPolicy, events, source);
    }
}
