package io.lanequeue.worker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Collection;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Stands between the driver and the server. A connection through it can be left half open: it stays, and nothing passes
 * any more in either direction.
 */
final class DeafRelay implements AutoCloseable {

    private final PGSimpleDataSource server;
    private final ServerSocket door;
    private final BlockingQueue<Passage> passages = new LinkedBlockingQueue<>();

    private DeafRelay(PGSimpleDataSource server, ServerSocket door) {
        this.server = server;
        this.door = door;
    }

    static DeafRelay before(PGSimpleDataSource server) throws IOException {
        var relay = new DeafRelay(server, new ServerSocket(0, 10, InetAddress.getLoopbackAddress()));
        start(relay::accept);
        return relay;
    }

    PGSimpleDataSource dataSource() {
        var dataSource = new PGSimpleDataSource();
        dataSource.setUrl(server.getURL());
        dataSource.setUser(server.getUser());
        dataSource.setPassword(server.getPassword());
        dataSource.setServerNames(new String[] {door.getInetAddress().getHostAddress()});
        dataSource.setPortNumbers(new int[] {door.getLocalPort()});
        dataSource.setSslMode("disable");
        dataSource.setGssEncMode("disable");
        return dataSource;
    }

    /** The next connection that was made through it, waiting for it. */
    Passage nextPassage() throws InterruptedException {
        Passage passage = passages.poll(30, TimeUnit.SECONDS);
        if (passage == null) {
            throw new AssertionError("Nobody connected");
        }
        return passage;
    }

    /** Those that nobody has asked for. */
    Collection<Passage> passages() {
        return passages;
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = door.accept();
            var backend = new Socket(server.getServerNames()[0], server.getPortNumbers()[0]);
            var passage = new Passage();
            start(() -> passage.pass(client.getInputStream(), backend.getOutputStream()));
            start(() -> passage.pass(backend.getInputStream(), client.getOutputStream()));
            passages.add(passage);
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
    }

    private static void start(Task task) {
        var thread = new Thread(() -> {
            try {
                task.run();
            } catch (IOException e) {
                // One of the sides has gone.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    /** One connection. */
    static final class Passage {

        private volatile boolean deaf;

        void goDeaf() {
            deaf = true;
        }

        private void pass(InputStream from, OutputStream to) throws IOException {
            byte[] buffer = new byte[8_192];
            for (int length = from.read(buffer); length >= 0; length = from.read(buffer)) {
                if (!deaf) {
                    to.write(buffer, 0, length);
                    to.flush();
                }
            }
        }
    }

    private interface Task {
        void run() throws IOException;
    }
}
