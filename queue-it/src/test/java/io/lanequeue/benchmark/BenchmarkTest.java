package io.lanequeue.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The benchmark runs, in a form of seconds. What its numbers say is not looked at. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BenchmarkTest {

    private static final int LARGEST_CHART = 100 * 1024;

    private final StringWriter output = new StringWriter();
    private Path directory = Path.of("");

    /** One run serves all tests. */
    @BeforeAll
    void run(@TempDir Path written) {
        directory = written;
        int exitCode =
                Benchmark.commandLine(new PrintWriter(output)).execute("--smoke", "--output", directory.toString());
        assertThat(exitCode).describedAs(output.toString()).isZero();
    }

    @Test
    void everyFigureOfTheTableIsMeasured() throws IOException {
        List<String> ids = new ArrayList<>();
        results().get("figures").forEach(figure -> ids.add(figure.get("id").asText()));

        assertThat(ids)
                .contains(
                        "B1",
                        "B2",
                        "B3.lanes",
                        "B3.depth",
                        "B3.hot",
                        "B4.even",
                        "B4.held",
                        "B4.skewed",
                        "B4.worst",
                        "B5.excluded",
                        "B5.capped",
                        "B5.speedup",
                        "B6",
                        "B6.keys",
                        "B6.bulk",
                        "B7",
                        "B7.keys",
                        "B7.bulk",
                        "B8",
                        "B9.claim",
                        "B9.complete",
                        "B10.batch1",
                        "B10.batch100",
                        "B11",
                        "B11.deadlocks",
                        "B11.empty",
                        "B12",
                        "B13",
                        "B14.wait",
                        "B14.big",
                        "W1.outbox",
                        "W1.effects",
                        "W2.polling",
                        "W2.notify",
                        "W2.wake")
                .doesNotHaveDuplicates();
        assertThat(output.toString()).contains(ids);
    }

    @Test
    void everyRatioIsOfTwoNumbersThatWereMeasured() throws IOException {
        for (JsonNode figure : results().get("figures")) {
            if (figure.get("baseline").isNumber()) {
                assertThat(List.of(figure.get("value"), figure.get("ours"), figure.get("baseline")))
                        .describedAs(figure.toString())
                        .allSatisfy(number ->
                                assertThat(number.asDouble()).isPositive().isFinite());
            }
        }
    }

    @Test
    void machineAndServerAreNamed() throws IOException {
        assertThat(results().at("/machine/cores").asInt()).isPositive();
        assertThat(results().at("/server/fsync").asText()).isEqualTo("on");
        assertThat(results().at("/server/synchronous_commit").asText()).isEqualTo("on");
        assertThat(results().at("/server/cflags").asText()).contains("-O");
        assertThat(results().at("/form").asText()).isEqualTo("smoke");
    }

    @ParameterizedTest
    @ValueSource(strings = {"claim-by-backlog.png", "drains.png", "claim-under-snapshot.png"})
    void eachChartIsDrawnAndSmallEnoughForAPage(String chart) throws IOException {
        BufferedImage image = ImageIO.read(directory.resolve(chart).toFile());

        assertThat(image.getWidth()).isGreaterThan(image.getHeight());
        assertThat(Files.size(directory.resolve(chart))).isLessThan(LARGEST_CHART);
    }

    @Test
    void aFigureThatDoesNotExistIsRefused() {
        var answer = new StringWriter();

        int exitCode = Benchmark.commandLine(new PrintWriter(answer)).execute("--smoke", "--only", "B3,B99");

        assertThat(exitCode).isEqualTo(2);
        assertThat(answer.toString()).contains("there is no figure B99");
    }

    private JsonNode results() throws IOException {
        return new ObjectMapper().readTree(directory.resolve("results.json").toFile());
    }
}
