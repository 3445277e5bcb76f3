package io.lanequeue.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.outbox.Claim;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.OutboxConsumer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command, some seconds long. */
class SoakTest {

    private static final int EVENTS_TO_STEAL = 5;

    private final Output output = new Output();

    @Test
    void everyKindOfFaultHappensAndNothingIsLost(@TempDir Path directory) throws IOException {
        int exitCode = soak(
                "--minutes",
                "0.05",
                "--rate",
                "100",
                "--seconds-between-faults",
                "0.2",
                "--chart",
                directory.resolve("sizes.png").toString());

        assertThat(output.toString()).contains("Nothing was lost.").doesNotContain("LOSS");
        for (FaultKind kind : FaultKind.values()) {
            assertThat(output.toString()).containsPattern(Pattern.quote(kind.words()) + " +[1-9]");
        }
        assertThat(exitCode).isZero();
        assertThat(ImageIO.read(directory.resolve("sizes.png").toFile()).getWidth())
                .isPositive();
        assertThat(Files.readAllLines(directory.resolve("sizes.csv")))
                .startsWith("seconds,table,relation,bytes,live_rows,dead_rows")
                .anyMatch(line -> line.contains(",dispatch_outbox_user_heads,dispatch_outbox_user_heads_pkey,"));
    }

    /** Somebody takes events from the queue and delivers them to nobody. */
    @Test
    void saysSoWhenEventsAreLost(@TempDir Path directory) throws Exception {
        var command = new FutureTask<>(() -> soak(
                "--minutes",
                "0.03",
                "--rate",
                "100",
                "--faults",
                "EVENTS_DELETED",
                "--seconds-between-faults",
                "0.2",
                "--chart",
                directory.resolve("sizes.png").toString()));
        new Thread(command).start();

        steal(output.server().get());

        assertThat(command.get()).isOne();
        assertThat(output.toString())
                .containsPattern(Pattern.quote(Loss.EVENT_LOST.words()) + " +[1-9]")
                .contains("LOSSES: ");
    }

    /** A server that answers a commit before it is on disk, and is killed. */
    @Test
    @Tag("long")
    void saysSoWhenTheServerIsNotDurable(@TempDir Path directory) throws Exception {
        var command = new FutureTask<>(() -> soak(
                "--minutes",
                "0.2",
                "--rate",
                "200",
                "--faults",
                "SERVER_KILLED",
                "--seconds-between-faults",
                "1",
                "--chart",
                directory.resolve("sizes.png").toString()));
        new Thread(command).start();

        try (Connection connection = DriverManager.getConnection(output.server().get())) {
            DSL.using(connection).execute("alter role current_user set synchronous_commit = off");
        }

        assertThat(command.get()).isOne();
        assertThat(output.toString()).containsPattern(Pattern.quote(Loss.EVENT_LOST.words()) + " +[1-9]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--rate=0", "--minutes=0", "--seconds-between-faults=-1", "--faults=RAIN"})
    void refusesAWrongOption(String option) {
        assertThat(soak(option)).isEqualTo(2);
        assertThat(output.toString()).contains(option.substring(0, option.indexOf('=')));
    }

    private int soak(String... arguments) {
        return Soak.commandLine(new PrintWriter(output, true)).execute(arguments);
    }

    /** Claims and completes some events. */
    private static void steal(String url) throws SQLException {
        var consumer = new OutboxConsumer();
        int stolen = 0;
        try (Connection connection = DriverManager.getConnection(url)) {
            DSLContext dsl = DSL.using(connection, SQLDialect.POSTGRES);
            while (stolen < EVENTS_TO_STEAL) {
                Claim claim = consumer.claim(dsl, ClaimRequest.by("thief").withLanes(1));
                consumer.complete(dsl, claim);
                stolen += claim.events().size();
            }
        }
    }

    /** What the command prints, and as soon as it says so, where its server is. */
    private static final class Output extends StringWriter {

        private static final Pattern SERVER = Pattern.compile("Server (\\S+)");

        private final CompletableFuture<String> server = new CompletableFuture<>();

        CompletableFuture<String> server() {
            return server;
        }

        @Override
        public void flush() {
            super.flush();
            Matcher matcher = SERVER.matcher(toString());
            if (matcher.find()) {
                server.complete(matcher.group(1));
            }
        }
    }
}
