package io.lanequeue.faults;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** A small file system in memory that can be filled. Only who may mount has one; for others the test is aborted. */
final class SmallDisk implements AutoCloseable {

    private static final int BLOCK = 4096;

    private final Path path;

    private SmallDisk(Path path) {
        this.path = path;
    }

    static SmallDisk mount(Path path, int megabytes) {
        if (run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", path.toString()) != 0) {
            String why = "No disk is filled here: that takes the right to mount a tmpfs, as root has it.";
            System.out.println(why);
            Assumptions.abort(why);
        }
        return new SmallDisk(path);
    }

    Path path() {
        return path;
    }

    /** Takes all the space that is left. */
    void fill() throws IOException {
        try (OutputStream filler = Files.newOutputStream(filler())) {
            byte[] block = new byte[BLOCK];
            while (path.toFile().getUsableSpace() > 0) {
                filler.write(block);
            }
        }
    }

    /** Gives it back. */
    void free() throws IOException {
        Files.delete(filler());
    }

    private Path filler() {
        return path.resolve("filler");
    }

    @Override
    public void close() {
        // Lazily: the processes of a killed server take a moment to let go of it.
        run("umount", "-l", path.toString());
    }

    private static int run(String... command) {
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
