package io.lanequeue.outbox;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lanequeue.ConnectionLostException;
import io.lanequeue.SchemaNotMigratedException;
import io.lanequeue.testing.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.DSLContext;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;
import org.jooq.impl.DefaultExecuteListenerProvider;
import org.jooq.tools.jdbc.MockConnection;
import org.junit.jupiter.api.Test;

/** The library's exceptions come through also where the database's answer is not the first to be found. */
class TranslatedErrorTest {

    @Test
    void theDatabasesAnswerIsFoundBehindAnotherException() throws SQLException {
        try (Connection connection = TestServer.emptyDatabase().getConnection()) {
            DSLContext dsl = DSL.using(new DefaultConfiguration()
                    .set(connection)
                    .set(SQLDialect.POSTGRES)
                    .set(new DefaultExecuteListenerProvider(new Translator())));

            assertThatThrownBy(() -> new OutboxProducer().append(dsl, NewEvent.of(1, 1, "t", "{}")))
                    .isInstanceOf(SchemaNotMigratedException.class)
                    .hasCauseInstanceOf(ServiceException.class);
        }
    }

    // A full disk of the write-ahead log takes the server down: 53100 as when a table is full, and then the driver's
    // word.
    @Test
    void anErrorThatEndedTheSessionIsALostConnection() {
        var panic = new SQLException("PANIC: no space left on device", "53100");
        panic.setNextException(new SQLException("An I/O error occurred", "08006"));
        DSLContext dsl = DSL.using(
                new MockConnection(statement -> {
                    throw panic;
                }),
                SQLDialect.POSTGRES);

        assertThatThrownBy(() -> new OutboxProducer().append(dsl, NewEvent.of(1, 1, "t", "{}")))
                .isInstanceOf(ConnectionLostException.class)
                .hasMessageContaining("53100")
                .hasMessageContaining("may have happened");
    }

    private static final class Translator implements ExecuteListener {

        private static final long serialVersionUID = 1L;

        @Override
        public void exception(ExecuteContext context) {
            context.exception(new ServiceException(context.sqlException()));
        }
    }

    private static final class ServiceException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        ServiceException(Throwable cause) {
            super(cause);
        }
    }
}
