package io.lanequeue.benchmark.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.testing.TestServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The ordered queues that the library is compared with keep order too, or the comparison would be worth nothing. */
class HeadFinderTest {

    private static final int LANES = 3;
    private static final int PER_LANE = 2;
    private static final int ALL = 100;

    private final PGSimpleDataSource database = TestServer.emptyDatabase();
    private final List<BatchConsumer> consumers = new ArrayList<>();

    @BeforeEach
    void fill() throws SQLException {
        database.setCurrentSchema("public");
        try (Connection connection = database.getConnection()) {
            OrderedQueue.create(connection);
            OrderedQueue.fill(connection, 0, LANES, PER_LANE);
        }
    }

    @AfterEach
    void close() throws SQLException {
        for (BatchConsumer consumer : consumers) {
            consumer.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachLaneGivesItsFirstMessageAndNoOtherUntilThatIsDone(HeadFinder finder) throws SQLException {
        BatchConsumer first = consumer(finder);
        BatchConsumer second = consumer(finder);

        assertThat(first.claim()).isEqualTo(LANES);
        assertThat(leased()).containsExactly("0 of lane 0", "0 of lane 1", "0 of lane 2");
        assertThat(second.claim()).isZero();

        first.complete();
        assertThat(second.claim()).isEqualTo(LANES);
        assertThat(leased()).containsExactly("1 of lane 0", "1 of lane 1", "1 of lane 2");
    }

    @ParameterizedTest
    @EnumSource
    void whatIsGivenBackComesAgain(HeadFinder finder) throws SQLException {
        BatchConsumer consumer = consumer(finder);
        consumer.claim();

        consumer.release();

        assertThat(leased()).isEmpty();
        assertThat(consumer.claim()).isEqualTo(LANES);
    }

    @ParameterizedTest
    @EnumSource
    void aClaimTakesNoMoreThanItsBatch(HeadFinder finder) throws SQLException {
        assertThat(consumer(finder, 2).claim()).isEqualTo(2);
    }

    private BatchConsumer consumer(HeadFinder finder) throws SQLException {
        return consumer(finder, ALL);
    }

    private BatchConsumer consumer(HeadFinder finder, int batch) throws SQLException {
        BatchConsumer consumer = OrderedQueue.consumer(database.getConnection(), finder, batch, Duration.ofSeconds(20));
        consumers.add(consumer);
        return consumer;
    }

    private List<String> leased() throws SQLException {
        String query = "SELECT pts || ' of lane ' || lane FROM messages WHERE leased_until > now() ORDER BY lane, pts";
        List<String> messages = new ArrayList<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            while (result.next()) {
                messages.add(result.getString(1));
            }
        }
        return messages;
    }
}
