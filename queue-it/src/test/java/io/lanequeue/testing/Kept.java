package io.lanequeue.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What is kept in a file of the sources of what a test sees, so that a change of it can be read. With
 * {@code -Dlanequeue.write=true} it is written instead of compared.
 */
public final class Kept {

    private Kept() {}

    /** The file holds what was seen, be its lines broken in other places. */
    public static void assertHolds(Path file, String seen) throws IOException {
        if (isToBeWritten()) {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, seen);
        } else {
            assertThat(file).exists();
            assertThat(seen).as("%s", file).isEqualToNormalizingWhitespace(Files.readString(file));
        }
    }

    /** Between the first of one mark and the next of the other, the file holds what was seen. */
    public static void assertHolds(Path file, String begin, String end, String seen) throws IOException {
        String text = Files.readString(file);
        assertThat(text).contains(begin);
        int from = text.indexOf(begin) + begin.length();
        int to = text.indexOf(end, from);
        assertThat(to).as("%s after %s", end, begin).isNotNegative();
        if (isToBeWritten()) {
            Files.writeString(file, text.substring(0, from) + seen + text.substring(to));
        } else {
            assertThat(seen).as("%s", begin).isEqualTo(text.substring(from, to));
        }
    }

    private static boolean isToBeWritten() {
        return Boolean.getBoolean("lanequeue.write");
    }
}
