package io.lanequeue.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TurnsTest {

    private static final Duration LONG = Duration.ofHours(1);

    private final List<String> calls = new ArrayList<>();

    @Test
    void waysTakeTurnsAndEachRoundBeginsWithAnother() throws SQLException, InterruptedException {
        new Turns(0, 3, LONG).measure(List.of(called("a", 1), called("b", 1)));

        assertThat(calls).containsExactly("a", "b", "b", "a", "a", "b");
    }

    @Test
    void turnsGoBackAndForthSoThatNobodyAlwaysComesAfterTheSame() throws SQLException, InterruptedException {
        new Turns(0, 2, LONG).measure(List.of(called("a", 1), called("b", 1), called("c", 1)));

        assertThat(calls).containsExactly("a", "b", "c", "b", "a", "c");
    }

    @Test
    void theWarmUpIsNotCounted() throws SQLException, InterruptedException {
        List<Latencies> found = new Turns(2, 1, LONG)
                .measure(List.of(() -> calls.size() < 2 ? add("cold", 9_000_000) : add("warm", 1_000_000)));

        assertThat(calls).containsExactly("cold", "cold", "warm");
        assertThat(found.get(0).p99()).isEqualTo(1.0, within(0.01));
    }

    @Test
    void aWayThatTakesTooLongIsLeftOutOnceItHasBeenMeasured() throws SQLException, InterruptedException {
        new Turns(0, 3, Duration.ofNanos(1)).measure(List.of(called("a", 1), called("b", 1)));

        assertThat(calls).containsExactly("a", "b");
    }

    @Test
    void whatTheServerEndsIsMarked() throws SQLException, InterruptedException {
        List<Latencies> found = new Turns(0, 1, LONG).measure(List.of(failing("57014"), called("b", 1)));

        assertThat(found.get(0).isCutShort()).isTrue();
        assertThat(found.get(1).isCutShort()).isFalse();
    }

    @Test
    void anyOtherErrorEndsTheBenchmark() {
        var turns = new Turns(0, 1, LONG);

        assertThatThrownBy(() -> turns.measure(List.of(failing("42P01"))))
                .isInstanceOf(SQLException.class)
                .extracting(e -> ((SQLException) e).getSQLState())
                .isEqualTo("42P01");
    }

    private Round called(String name, long nanos) {
        return () -> add(name, nanos);
    }

    private long add(String name, long nanos) {
        calls.add(name);
        return nanos;
    }

    private static Round failing(String sqlState) {
        return () -> {
            throw new SQLException("planted", sqlState);
        };
    }
}
