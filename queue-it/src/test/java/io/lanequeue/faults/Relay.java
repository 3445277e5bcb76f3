package io.lanequeue.faults;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Stands between the driver and the server for one connection. It can cut that between a statement and its answer: when
 * the server has answered, so the statement is committed, or while the statement is at work.
 */
final class Relay implements AutoCloseable {

    private static final int NEVER = -1;

    /** ReadyForQuery: with it the server ends its answer, after the commit. */
    private static final byte END_OF_ANSWER = 'Z';

    private final PGSimpleDataSource server;
    private final ServerSocket door;
    private final AtomicInteger answers = new AtomicInteger();
    private final AtomicInteger answersUntilCut = new AtomicInteger(NEVER);
    private volatile @Nullable Socket client;

    private Relay(PGSimpleDataSource server, ServerSocket door) {
        this.server = server;
        this.door = door;
    }

    static Relay before(PGSimpleDataSource server) {
        try {
            var relay = new Relay(server, new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            start(relay::connect);
            return relay;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One connection through the relay. */
    PGSimpleDataSource dataSource() {
        var dataSource = new PGSimpleDataSource();
        dataSource.setUrl(server.getURL());
        dataSource.setUser(server.getUser());
        dataSource.setPassword(server.getPassword());
        dataSource.setServerNames(new String[] {door.getInetAddress().getHostAddress()});
        dataSource.setPortNumbers(new int[] {door.getLocalPort()});
        // The answers to a request for encryption are no messages.
        dataSource.setSslMode("disable");
        dataSource.setGssEncMode("disable");
        return dataSource;
    }

    /** How many answers the server has given until now. */
    int answers() {
        return answers.get();
    }

    /** Lets the answers before it pass, and cuts the connection instead of passing this one, counted from 1. */
    void cutAnswer(int number) {
        answersUntilCut.set(number);
    }

    /** Cuts the connection to the client now, whatever the server is doing. */
    void cut() throws IOException {
        Socket connected = client;
        if (connected != null) {
            connected.close();
        }
    }

    private void connect() throws IOException {
        try (Socket accepted = door.accept();
                Socket backend = new Socket(server.getServerNames()[0], server.getPortNumbers()[0])) {
            client = accepted;
            start(() -> accepted.getInputStream().transferTo(backend.getOutputStream()));
            passAnswers(
                    new DataInputStream(backend.getInputStream()),
                    new DataOutputStream(new BufferedOutputStream(accepted.getOutputStream())));
        }
    }

    private void passAnswers(DataInputStream from, DataOutputStream to) throws IOException {
        while (true) {
            byte type = from.readByte();
            int length = from.readInt();
            byte[] body = from.readNBytes(length - Integer.BYTES);
            boolean cutting = answersUntilCut.get() == 1;
            boolean ending = type == END_OF_ANSWER;
            if (ending) {
                // Before it is passed on: who has the answer finds it counted.
                answers.incrementAndGet();
                answersUntilCut.updateAndGet(left -> left == NEVER ? NEVER : left - 1);
            }
            if (!cutting) {
                to.writeByte(type);
                to.writeInt(length);
                to.write(body);
                to.flush();
            } else if (ending) {
                return;
            }
        }
    }

    @Override
    public void close() throws IOException {
        cut();
        door.close();
    }

    private static void start(Task task) {
        var thread = new Thread(() -> {
            try {
                task.run();
            } catch (IOException e) {
                // The other side has gone, or was cut off.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private interface Task {
        void run() throws IOException;
    }
}
