package io.lanequeue.demo;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reads lines one at a time, and never holds more of one than the limit. */
final class Lines implements AutoCloseable {

    /** Longest line that is read, in bytes. */
    static final int MAX_BYTES = 1024 * 1024;

    private static final int BUFFER_BYTES = 64 * 1024;

    private final InputStream bytes;
    private int number;

    Lines(InputStream bytes) {
        this.bytes = new BufferedInputStream(bytes, BUFFER_BYTES);
    }

    /** The next line, or null at the end. */
    @Nullable
    Line next() throws IOException {
        int next = bytes.read();
        if (next < 0) {
            return null;
        }
        number++;
        var content = new ByteArrayOutputStream(256);
        boolean tooLong = false;
        while (next >= 0 && next != '\n') {
            if (content.size() < MAX_BYTES) {
                content.write(next);
            } else {
                tooLong = true;
            }
            next = bytes.read();
        }
        return new Line(number, content.toByteArray(), tooLong);
    }

    @Override
    public void close() throws IOException {
        bytes.close();
    }

    /**
     * @param number from 1
     * @param content without the line end; cut where it is too long
     */
    record Line(int number, byte[] content, boolean tooLong) {}
}
