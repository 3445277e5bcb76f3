package io.lanequeue.devdb;

import static java.util.Objects.requireNonNull;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A Postgres whose commits are durable and which can be killed and started again on the same data. Always from Maven
 * artifacts, whatever server the other tests run on. For Linux and macOS.
 *
 * <p>Start and kill it from one thread.
 */
public final class DurablePostgres implements AutoCloseable {

    private static final String READY = "ready to accept";

    /** Processes of a killed server hold on to its memory until the kernel has ended them. */
    private static final String OLD_PROCESSES = "is still in use";

    private final Path programs;
    private final Path data;
    private final int port;
    private final List<String> settings;
    private @Nullable Process process;
    private @Nullable ProcessLog log;

    private DurablePostgres(Path programs, Path data, int port, List<String> settings) {
        this.programs = programs;
        this.data = data;
        this.port = port;
        this.settings = settings;
    }

    /**
     * Makes an empty cluster in an empty directory. It does not run yet.
     *
     * @param settings what else it runs with, as {@code name=value}
     */
    public static DurablePostgres create(Path directory, String... settings) {
        Path data = directory.resolve("data");
        // It makes the cluster, and only it knows where it put the programs; to be killed they have to be our children.
        try (EmbeddedPostgres embedded = EmbeddedServers.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                // Its own default is higher; what it wrote into the log would keep a standby with ours from starting.
                .setServerConfig("max_connections", "100")
                .start()) {
            return new DurablePostgres(programsOf(embedded), data, freePort(), List.of(settings));
        } catch (IOException | SQLException e) {
            throw new IllegalStateException("No cluster was made in " + directory, e);
        }
    }

    private static Path programsOf(EmbeddedPostgres embedded) throws SQLException {
        try (Connection connection = embedded.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select setting from pg_config where name = 'BINDIR'")) {
            row.next();
            return Path.of(row.getString(1));
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** A hot standby of this server, on a copy of its data. Neither runs at that moment. */
    public DurablePostgres standby(Path directory) {
        Path copy = directory.resolve("data");
        try {
            copy(data, copy);
            Files.createFile(copy.resolve("standby.signal"));
            return new DurablePostgres(
                    programs,
                    copy,
                    freePort(),
                    List.of("primary_conninfo=host=localhost port=" + port + " user=postgres"));
        } catch (IOException e) {
            throw new IllegalStateException("No standby was made in " + directory, e);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    /** Where the cluster is. */
    public Path data() {
        return data;
    }

    /** Connections to its first database, as superuser. */
    public PGSimpleDataSource dataSource() {
        var dataSource = new PGSimpleDataSource();
        dataSource.setServerNames(new String[] {"localhost"});
        dataSource.setPortNumbers(new int[] {port});
        dataSource.setDatabaseName("postgres");
        dataSource.setUser("postgres");
        return dataSource;
    }

    /** Starts it; returns when it takes connections. */
    public void start() {
        ProcessLog started = launch();
        while (!started.awaitLine(READY, 0)) {
            if (!started.contains(OLD_PROCESSES)) {
                throw new IllegalStateException("The server did not start:\n" + started);
            }
            started = launch();
        }
    }

    private ProcessLog launch() {
        List<String> command = new ArrayList<>();
        if (LinuxUtils.isUnshareAvailable()) {
            // The server refuses root; so root starts it as somebody else.
            command.addAll(List.of("unshare", "-U"));
        }
        command.addAll(List.of(programs.resolve("postgres").toString(), "-D", data.toString()));
        Stream.concat(
                        Stream.of(
                                "port=" + port,
                                "listen_addresses=localhost",
                                "unix_socket_directories=",
                                "lc_messages=C",
                                "fsync=on",
                                "full_page_writes=on",
                                "synchronous_commit=on"),
                        settings.stream())
                .forEach(setting -> command.addAll(List.of("-c", setting)));
        try {
            Process launched =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            // Its processes end when they miss it.
            Runtime.getRuntime().addShutdownHook(new Thread(launched::destroyForcibly));
            process = launched;
            log = ProcessLog.of(launched);
            return log;
        } catch (IOException e) {
            throw new IllegalStateException("The server did not start", e);
        }
    }

    /** SIGKILL to the server and all its processes at once, if it has not ended by itself. */
    public void kill() {
        Process running = requireNonNull(process);
        try {
            if (running.isAlive()) {
                // Held still, it cannot start another process meanwhile. Not every machine has kill as a program.
                new ProcessBuilder("sh", "-c", "kill -STOP " + running.pid())
                        .inheritIO()
                        .start()
                        .waitFor();
                List<ProcessHandle> processes = running.descendants().toList();
                running.destroyForcibly();
                processes.forEach(ProcessHandle::destroyForcibly);
            }
            running.waitFor();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("The server was not killed", e);
        }
    }

    /**
     * SIGKILL to one process of the server, as when memory runs out: the server throws out everybody, recovers and goes
     * on. Returns when it takes connections again.
     */
    public void killOneProcess(int pid) {
        ProcessLog running = requireNonNull(log);
        int before = running.length();
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        if (!running.awaitLine(READY, before)) {
            throw new IllegalStateException("The server did not recover:\n" + running);
        }
    }

    /** Kills the server if it runs. The directory stays. */
    @Override
    public void close() {
        if (process != null) {
            kill();
        }
    }
}
