package io.lanequeue.metrics;

import io.lanequeue.watch.QueueWatch;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Registers gauges of a queue's totals. They hold the watch, which nobody else may, and which the registry alone would
 * let go.
 */
record Gauges<T>(MeterRegistry registry, QueueWatch<T> watch) {

    void number(String name, Tags tags, String description, ToDoubleFunction<T> part) {
        Gauge.builder(name, watch, source -> figure(source, part))
                .description(description)
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    /** A time that is missing, because nothing waits, is none. */
    void time(String name, Tags tags, String description, Function<T, @Nullable Duration> part) {
        TimeGauge.builder(
                        name,
                        watch,
                        TimeUnit.NANOSECONDS,
                        source -> figure(source, totals -> nanos(part.apply(totals))))
                .description(description)
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    /** NaN where the database did not tell: an old figure would look like a present one. */
    private static <T> double figure(QueueWatch<T> source, ToDoubleFunction<T> part) {
        return source.totals().map(part::applyAsDouble).orElse(Double.NaN);
    }

    private static double nanos(@Nullable Duration time) {
        return time == null ? 0 : time.toNanos();
    }
}
