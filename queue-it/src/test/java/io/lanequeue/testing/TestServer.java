package io.lanequeue.testing;

import io.lanequeue.devdb.DevPostgres;
import org.postgresql.ds.PGSimpleDataSource;

/** The one Postgres of a test JVM. Ends with the JVM. */
public final class TestServer {

    private static final DevPostgres POSTGRES = start();

    private TestServer() {}

    private static DevPostgres start() {
        DevPostgres postgres = DevPostgres.start(System.getProperty("postgres.major", "17"));
        Runtime.getRuntime().addShutdownHook(new Thread(postgres::close));
        return postgres;
    }

    /** An empty database of its own. */
    public static PGSimpleDataSource emptyDatabase() {
        return POSTGRES.createDatabase();
    }

    /** Where connections lead to, with user and password, for a process of its own. */
    public static String urlOf(PGSimpleDataSource dataSource) {
        String url = dataSource.getURL();
        String user = dataSource.getUser();
        String password = dataSource.getPassword();
        return url
                + (url.contains("?") ? "&" : "?")
                + (user == null ? "" : "user=" + user)
                + (password == null ? "" : "&password=" + password);
    }
}
