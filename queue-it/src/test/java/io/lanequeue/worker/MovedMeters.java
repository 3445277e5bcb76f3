package io.lanequeue.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import java.util.TreeMap;

/** A registry for one worker, and what has been counted in it. */
record MovedMeters(MeterRegistry registry, String queue) {

    MovedMeters(String queue) {
        this(new SimpleMeterRegistry(), queue);
    }

    /** The meters that are not at 0 any more, with their counts. */
    Map<String, Integer> moved() {
        Map<String, Integer> moved = new TreeMap<>();
        for (Meter meter : registry.getMeters()) {
            assertThat(meter.getId().getTag("queue")).isEqualTo(queue);
            meter.measure().forEach(measurement -> {
                if (measurement.getStatistic() == Statistic.COUNT && measurement.getValue() > 0) {
                    moved.put(meter.getId().getName(), (int) measurement.getValue());
                }
            });
        }
        return moved;
    }
}
