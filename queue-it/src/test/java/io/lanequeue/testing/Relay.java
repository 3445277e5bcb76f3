package io.lanequeue.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Stands between the driver and the server; what can go wrong on the way, each {@link Passage} does when it is told.
 */
public final class Relay implements AutoCloseable {

    private static final int MOST_WAITING = 10;
    private static final long PATIENCE_SECONDS = 30;

    private final PGSimpleDataSource server;
    private final ServerSocket door;
    private final Queue<Passage> all = new ConcurrentLinkedQueue<>();
    private final BlockingQueue<Passage> passages = new LinkedBlockingQueue<>();

    private Relay(PGSimpleDataSource server, ServerSocket door) {
        this.server = server;
        this.door = door;
    }

    public static Relay before(PGSimpleDataSource server) {
        try {
            var relay = new Relay(server, new ServerSocket(0, MOST_WAITING, InetAddress.getLoopbackAddress()));
            Passage.onAThread(relay::accept);
            return relay;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Connections through the relay. */
    public PGSimpleDataSource dataSource() {
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

    /** The next connection that was made through it, waiting for it. */
    public Passage nextPassage() {
        try {
            Passage passage = passages.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (passage == null) {
                throw new AssertionError("Nobody connected");
            }
            return passage;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Those that nobody has asked for. */
    public Collection<Passage> passages() {
        return passages;
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = door.accept();
            var passage = new Passage(client, new Socket(server.getServerNames()[0], server.getPortNumbers()[0]));
            all.add(passage);
            passages.add(passage);
            passage.open();
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
        for (Passage passage : all) {
            passage.cut();
        }
    }
}
