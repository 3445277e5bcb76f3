package io.lanequeue.faults;

import io.lanequeue.devdb.ProcessLog;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.postgresql.ds.PGSimpleDataSource;

/** A PgBouncer in transaction mode in front of a server: every transaction may run on another of its connections. */
final class PgBouncer implements AutoCloseable {

    private final Process process;
    private final PGSimpleDataSource dataSource;

    private PgBouncer(Process process, PGSimpleDataSource dataSource) {
        this.process = process;
        this.dataSource = dataSource;
    }

    /** Starts one with its configuration in the given directory. */
    static PgBouncer before(PGSimpleDataSource server, int poolSize, Path directory) throws IOException {
        Path program = program()
                .orElseThrow(() ->
                        new IllegalStateException("PgBouncer is not installed (Debian: apt-get install pgbouncer)"));
        int port = freePort();
        Path configuration =
                Files.writeString(directory.resolve("pgbouncer.ini"), configuration(server, poolSize, port));
        Process process = new ProcessBuilder(program.toString(), configuration.toString())
                .redirectErrorStream(true)
                .start();
        ProcessLog log = ProcessLog.of(process);
        if (!log.awaitLine("process up", 0)) {
            throw new IllegalStateException("PgBouncer did not start:\n" + log);
        }
        return new PgBouncer(process, dataSource(server, port));
    }

    /** Debian has it where only root looks. */
    private static Optional<Path> program() {
        return Stream.concat(Stream.of(System.getenv("PATH").split(":")), Stream.of("/usr/sbin"))
                .map(directory -> Path.of(directory, "pgbouncer"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static String configuration(PGSimpleDataSource server, int poolSize, int port) {
        String password = server.getPassword();
        return String.join(
                "\n",
                List.of(
                        "[databases]",
                        "* = host=" + server.getServerNames()[0] + " port=" + server.getPortNumbers()[0] + " user="
                                + server.getUser() + (password == null ? "" : " password=" + password),
                        "[pgbouncer]",
                        "listen_addr = 127.0.0.1",
                        "listen_port = " + port,
                        "unix_socket_dir =",
                        "auth_type = any",
                        // Started by root it refuses to stay root.
                        System.getProperty("user.name").equals("root") ? "user = nobody" : "",
                        "pool_mode = transaction",
                        "default_pool_size = " + poolSize,
                        // One after the other, not the one that was used last.
                        "server_round_robin = 1",
                        "ignore_startup_parameters = extra_float_digits, options"));
    }

    private static PGSimpleDataSource dataSource(PGSimpleDataSource server, int port) {
        var dataSource = new PGSimpleDataSource();
        dataSource.setServerNames(new String[] {"127.0.0.1"});
        dataSource.setPortNumbers(new int[] {port});
        dataSource.setDatabaseName(server.getDatabaseName());
        dataSource.setUser(server.getUser());
        // A statement that one connection has prepared is unknown to the next.
        dataSource.setPrepareThreshold(0);
        return dataSource;
    }

    /** Connections through the pool. */
    PGSimpleDataSource dataSource() {
        return dataSource;
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
