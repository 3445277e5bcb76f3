package io.lanequeue.soak;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;

/** A connection that is lost at the commit, before the answer. */
final class LosingConnection {

    private LosingConnection() {}

    /** What has become of the transaction by then. */
    @FunctionalInterface
    interface Fate {
        void befall(Connection connection) throws SQLException;
    }

    static Connection of(Connection connection, Fate fate) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "commit" -> {
                            fate.befall(connection);
                            throw new SQLException("lost", "08006");
                        }
                        case "close" -> {
                            // What it left behind at the server is the test's business.
                            return null;
                        }
                        default -> {
                            try {
                                return method.invoke(connection, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        }
                    }
                });
    }
}
