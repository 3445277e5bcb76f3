package io.lanequeue.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectProducer;
import io.lanequeue.effects.NewEffect;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Wiring;
import io.lanequeue.watch.QueueWatch;
import io.lanequeue.worker.EffectWorker;
import io.lanequeue.worker.OutboxWorker;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The dashboard, the alerts and the table of meters name what a Prometheus server reads from a service whose workers
 * have run on real queues.
 */
class DashboardTest {

    private static final Path PAGE = Path.of("..", "docs", "operations.md");
    private static final PrometheusMeterRegistry REGISTRY = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @BeforeAll
    static void runWorkers() throws InterruptedException {
        QueueDatabase db = QueueDatabase.of(Wiring.STANDARD);
        DSLContext dsl = db.open().dsl();
        var handled = new CountDownLatch(2);
        new OutboxProducer().append(dsl, NewEvent.of(17, 1, "message", "{}"));
        new EffectProducer().enqueue(dsl, NewEffect.of("site", "commit 1"));
        new OutboxMeters(QueueWatch.ofOutbox(db.dataSource(), db.schema())).bindTo(REGISTRY);
        new EffectMeters(QueueWatch.ofEffects(db.dataSource(), db.schema())).bindTo(REGISTRY);
        ExecutorService threads = Executors.newCachedThreadPool();

        try (OutboxWorker events = OutboxWorker.on(db.dataSource(), db.schema(), ClaimRequest.by("events"))
                        .withEvents(WorkerMeters.ofOutbox(REGISTRY))
                        .start(threads, (event, attempt) -> handled.countDown());
                EffectWorker effects = EffectWorker.on(db.dataSource(), db.schema(), DispatchRequest.by("effects"))
                        .withEvents(WorkerMeters.ofEffects(REGISTRY))
                        .start(threads, (effect, attempt) -> handled.countDown())) {
            assertThat(handled.await(30, TimeUnit.SECONDS)).isTrue();
            events.stop(Duration.ofSeconds(20));
            effects.stop(Duration.ofSeconds(20));
        } finally {
            threads.shutdown();
            db.reset();
        }
    }

    static Stream<PromQuery> queriesOfTheDashboard() throws IOException {
        JsonNode dashboard = new ObjectMapper()
                .readTree(Path.of("..", "docs", "grafana", "lanequeue.json").toFile());
        return StreamSupport.stream(dashboard.get("panels").spliterator(), false)
                .flatMap(panel -> StreamSupport.stream(panel.get("targets").spliterator(), false))
                .map(target -> new PromQuery(target.get("expr").asText()));
    }

    /** In the table of alerts a bar within a query would end the cell, so none has one. */
    static Stream<PromQuery> alerts() throws IOException {
        return found("\\| `([^`]*lanequeue_[^`]*)` \\|").stream().map(PromQuery::new);
    }

    @ParameterizedTest
    @MethodSource("queriesOfTheDashboard")
    void aQueryOfTheDashboardNamesWhatIsScraped(PromQuery query) {
        assertThat(query.metrics()).isNotEmpty();
        assertThat(query.unknownIn(scrape())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("alerts")
    void anAlertNamesWhatIsScraped(PromQuery query) {
        assertThat(query.unknownIn(scrape())).isEmpty();
    }

    /** Grafana puts in a time where it says {@code $__rate_interval}; an alert is asked whether it rings or not. */
    @Tag("tools")
    @ParameterizedTest
    @MethodSource({"queriesOfTheDashboard", "alerts"})
    void prometheusHasAnAnswer(PromQuery query, @TempDir Path directory) throws IOException {
        String asked = query.text().replace("$__rate_interval", "5m").replace(" > ", " > bool ");

        assertThat(Promtool.complaint(asked, scrape(), directory)).isEmpty();
    }

    @Tag("tools")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "max(lanequeue_lagg_seconds)",
                "sum by (queue) (rate(lanequeue_lost_total[5m])",
                "rate(lanequeue_lost_total)"
            })
    void prometheusComplainsOfAQueryThatHasNone(String query, @TempDir Path directory) throws IOException {
        assertThat(Promtool.complaint(query, scrape(), directory)).isNotEmpty();
    }

    @Test
    void theDashboardShowsEveryMeter() throws IOException {
        Set<String> shown = queriesOfTheDashboard()
                .flatMap(query -> query.metrics().stream())
                .collect(Collectors.toSet());

        assertThat(scrape().series().keySet().stream().filter(metric -> !metric.contains("_created")))
                .containsExactlyInAnyOrderElementsOf(shown);
    }

    @Test
    void theTableHasEveryMeterAndNoOther() throws IOException {
        assertThat(found("\\| `(lanequeue\\.[a-z.]*)`")).isEqualTo(meters());
    }

    @Test
    void whatIsCountedIsScraped() {
        assertThat(REGISTRY.scrape())
                .contains(
                        "lanequeue_delivered_total{queue=\"outbox\"} 1.0",
                        "lanequeue_handler_seconds_count{queue=\"effects\"} 1");
    }

    @Test
    void namesThatDoNotExistAreFound() {
        assertThat(unknownIn("sum(rate(lanequeue_deliverd_total[5m]))")).containsExactly("lanequeue_deliverd_total");
        assertThat(unknownIn("max(lanqueue_lag_seconds)")).containsExactly("lanqueue_lag_seconds");
        assertThat(unknownIn("max(lanequeue_lanes{state=\"blockd\"})"))
                .containsExactly("lanequeue_lanes{state=blockd}");
        assertThat(unknownIn("max(lanequeue_lanes{stat=\"blocked\"})"))
                .containsExactly("lanequeue_lanes{stat=blocked}");
        assertThat(unknownIn("max by (repo) (lanequeue_lanes)")).containsExactly("repo");
        assertThat(unknownIn("max by (state) (lanequeue_lanes{state=\"blocked\"}) > 0"))
                .isEmpty();
    }

    private static List<String> unknownIn(String query) {
        return new PromQuery(query).unknownIn(scrape());
    }

    private static Scrape scrape() {
        return Scrape.of(REGISTRY.scrape());
    }

    private static Set<String> meters() {
        return REGISTRY.getMeters().stream()
                .map(meter -> meter.getId().getName())
                .collect(Collectors.toSet());
    }

    /** What stands on the page about operations in places like this. */
    private static Set<String> found(String place) throws IOException {
        return Pattern.compile(place)
                .matcher(Files.readString(PAGE))
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toSet());
    }
}
