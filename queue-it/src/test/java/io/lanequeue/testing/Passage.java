package io.lanequeue.testing;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A connection through a {@link Relay}. It can be cut between a statement and its answer: when the server has answered,
 * so the statement is committed, or while the statement is at work. Or it can be left half open.
 */
public final class Passage {

    private static final int NEVER = -1;

    /** ReadyForQuery: with it the server ends its answer, after the commit. */
    private static final byte END_OF_ANSWER = 'Z';

    private final Socket client;
    private final Socket backend;
    private final AtomicInteger answers = new AtomicInteger();
    private final AtomicInteger answersUntilCut = new AtomicInteger(NEVER);
    private volatile boolean deaf;

    Passage(Socket client, Socket backend) {
        this.client = client;
        this.backend = backend;
    }

    void open() {
        onAThread(() -> passRequests(client.getInputStream(), backend.getOutputStream()));
        onAThread(() -> {
            try (client;
                    backend) {
                passAnswers(
                        new DataInputStream(backend.getInputStream()),
                        new DataOutputStream(new BufferedOutputStream(client.getOutputStream())));
            }
        });
    }

    /** How many answers the server has given until now. */
    public int answers() {
        return answers.get();
    }

    /** Lets the answers before it pass, and cuts the connection instead of passing this one, counted from 1. */
    public void cutAnswer(int number) {
        answersUntilCut.set(number);
    }

    /** Cuts the connection to the client now, whatever the server is doing. */
    public void cut() throws IOException {
        client.close();
    }

    /** The connection stays, and nothing passes any more in either direction. */
    public void goDeaf() {
        deaf = true;
    }

    private void passRequests(InputStream from, OutputStream to) throws IOException {
        byte[] buffer = new byte[8_192];
        for (int length = from.read(buffer); length >= 0; length = from.read(buffer)) {
            if (!deaf) {
                to.write(buffer, 0, length);
                to.flush();
            }
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
            if (cutting && ending) {
                return;
            }
            if (!cutting && !deaf) {
                to.writeByte(type);
                to.writeInt(length);
                to.write(body);
                to.flush();
            }
        }
    }

    static void onAThread(Task task) {
        var thread = new Thread(() -> {
            try {
                task.run();
            } catch (IOException e) {
                // One of the sides has gone, or was cut off.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    interface Task {
        void run() throws IOException;
    }
}
