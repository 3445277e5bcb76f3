package io.lanequeue.benchmark;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.tools.jdbc.MockConnection;
import org.jooq.tools.jdbc.MockResult;
import org.jspecify.annotations.Nullable;

/**
 * The statement of a library call, with the values it binds, to be run by plain JDBC. The call is made on a connection
 * that only listens, so nothing has happened yet.
 *
 * @param sql its text
 * @param values what it binds, as the driver gets them
 */
record PlainStatement(String sql, List<Object> values) {

    /** The statement that a call would send. */
    static PlainStatement of(Consumer<DSLContext> call) {
        List<PlainStatement> sent = new ArrayList<>();
        DSLContext listening = DSL.using(
                new MockConnection(statement -> {
                    sent.add(new PlainStatement(statement.sql(), Arrays.asList(statement.bindings())));
                    return new MockResult[] {
                        new MockResult(0, DSL.using(SQLDialect.POSTGRES).newResult())
                    };
                }),
                SQLDialect.POSTGRES);
        call.accept(listening);
        return sent.get(0);
    }

    /** Runs it and reads every column of every row; returns the number of rows. */
    int run(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.size(); i++) {
                statement.setObject(i + 1, values.get(i));
            }
            try (ResultSet result = statement.executeQuery()) {
                return read(result).size();
            }
        }
    }

    private static List<Object[]> read(ResultSet result) throws SQLException {
        int[] types = new int[result.getMetaData().getColumnCount()];
        for (int i = 0; i < types.length; i++) {
            types[i] = result.getMetaData().getColumnType(i + 1);
        }
        List<Object[]> rows = new ArrayList<>();
        while (result.next()) {
            Object[] row = new Object[types.length];
            for (int i = 0; i < types.length; i++) {
                row[i] = value(result, i + 1, types[i]);
            }
            rows.add(row);
        }
        return rows;
    }

    private static @Nullable Object value(ResultSet result, int column, int type) throws SQLException {
        return switch (type) {
            case Types.BIGINT -> result.getLong(column);
            case Types.INTEGER -> result.getInt(column);
            case Types.TIMESTAMP -> result.getObject(column, OffsetDateTime.class);
            default -> result.getString(column);
        };
    }
}
