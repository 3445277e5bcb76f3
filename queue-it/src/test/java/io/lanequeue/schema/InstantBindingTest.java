package io.lanequeue.schema;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX_USER_HEADS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.val;

import io.lanequeue.testing.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.conf.Settings;
import org.jooq.conf.StatementType;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class InstantBindingTest {

    private static final DataType<Instant> TYPE = DISPATCH_OUTBOX_USER_HEADS.AVAILABLE_AT.getDataType();

    private static Connection connection;
    private static DSLContext dsl;

    @BeforeAll
    static void connect() throws SQLException {
        connection = TestServer.emptyDatabase().getConnection();
        dsl = DSL.using(connection, SQLDialect.POSTGRES);
        dsl.execute("set timezone = 'Asia/Kathmandu'");
    }

    @AfterAll
    static void disconnect() throws SQLException {
        connection.close();
    }

    static Stream<Instant> moments() {
        return Stream.of(
                Instant.MAX,
                Instant.MIN,
                Instant.EPOCH,
                Instant.parse("2026-02-28T23:59:59.999999Z"),
                Instant.parse("1899-12-31T18:19:17.000001Z"),
                Instant.parse("0001-01-01T00:00:00Z"),
                Instant.parse("0000-06-15T12:00:00Z"),
                Instant.parse("-0043-03-15T10:30:00Z"),
                Instant.parse("+12026-01-01T00:00:00Z"));
    }

    @ParameterizedTest
    @MethodSource("moments")
    void aMomentComesBackAsItWasSent(Instant moment) {
        assertThat(fetch(dsl, val(moment, TYPE))).isEqualTo(moment);
    }

    @ParameterizedTest
    @MethodSource("moments")
    void anInlinedMomentComesBackAsItWasWritten(Instant moment) {
        assertThat(fetch(dsl, inline(moment, TYPE))).isEqualTo(moment);
    }

    @ParameterizedTest
    @MethodSource("moments")
    void aMomentComesBackThroughAStaticStatement(Instant moment) {
        DSLContext inlining = DSL.using(
                connection, SQLDialect.POSTGRES, new Settings().withStatementType(StatementType.STATIC_STATEMENT));

        assertThat(fetch(inlining, val(moment, TYPE))).isEqualTo(moment);
    }

    @Test
    void infinityIsTheGreatestAndTheLeastMoment() {
        assertThat(fetch(dsl, field("timestamptz 'infinity'", TYPE))).isEqualTo(Instant.MAX);
        assertThat(fetch(dsl, field("timestamptz '-infinity'", TYPE))).isEqualTo(Instant.MIN);
        assertThat(dsl.fetchSingle(field("{0}::text", String.class, val(Instant.MAX, TYPE)))
                        .value1())
                .isEqualTo("infinity");
        assertThat(dsl.fetchSingle(field("{0}::text", String.class, val(Instant.MIN, TYPE)))
                        .value1())
                .isEqualTo("-infinity");
    }

    @Test
    void nullIsNull() {
        assertThat(fetch(dsl, field("null::timestamptz", TYPE))).isNull();
        assertThat(fetch(dsl, val((Instant) null, TYPE))).isNull();
        assertThat(fetch(dsl, inline((Instant) null, TYPE))).isNull();
    }

    @Test
    void momentsCanBeCompared() {
        List<Instant> sorted = moments().sorted().toList();
        for (int i = 1; i < sorted.size(); i++) {
            var comparison = DSL.field(val(sorted.get(i - 1), TYPE).lt(val(sorted.get(i), TYPE)));
            assertThat(fetch(dsl, comparison)).as("before " + sorted.get(i)).isTrue();
        }
    }

    private static <T> T fetch(DSLContext context, Field<T> value) {
        return context.fetchSingle(value).value1();
    }
}
