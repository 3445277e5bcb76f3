package io.lanequeue.devdb;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** What a process says, line by line, for those who wait for a certain line. Thread-safe. */
public final class ProcessLog {

    private final List<String> lines = new ArrayList<>();
    private boolean ended;

    private ProcessLog() {}

    /** Follows the output of a process until that ends. */
    public static ProcessLog of(Process process) {
        var log = new ProcessLog();
        var reader = new Thread(() -> log.follow(process.inputReader()), "log-" + process.pid());
        reader.setDaemon(true);
        reader.start();
        return log;
    }

    private void follow(BufferedReader output) {
        try (output) {
            output.lines().forEach(this::add);
        } catch (IOException | UncheckedIOException e) {
            add(e.toString());
        } finally {
            end();
        }
    }

    private synchronized void add(String line) {
        lines.add(line);
        notifyAll();
    }

    private synchronized void end() {
        ended = true;
        notifyAll();
    }

    /** How many lines there are until now. */
    public synchronized int length() {
        return lines.size();
    }

    /** Waits for a line with this text after the first so many; false if the process ends without it. */
    public synchronized boolean awaitLine(String text, int after) {
        for (int next = after; ; next++) {
            awaitLine(next);
            if (next == lines.size()) {
                return false;
            }
            if (lines.get(next).contains(text)) {
                return true;
            }
        }
    }

    private synchronized void awaitLine(int number) {
        try {
            while (number == lines.size() && !ended) {
                wait();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("Gave up waiting for a line", e);
        }
    }

    public synchronized boolean contains(String text) {
        return lines.stream().anyMatch(line -> line.contains(text));
    }

    @Override
    public synchronized String toString() {
        return String.join("\n", lines);
    }
}
