package io.lanequeue.demo;

import io.lanequeue.command.CommandFailedException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file of events. It is read twice: once to check it, once to append it. */
final class EventFile {

    private static final String SAMPLE = "/demo/events.ndjson";

    private final String name;
    private final Source source;

    private EventFile(String name, Source source) {
        this.name = name;
        this.source = source;
    }

    /** The sample that ships with the demo. */
    static EventFile sample() {
        return new EventFile("the sample", () -> {
            InputStream stream = EventFile.class.getResourceAsStream(SAMPLE);
            if (stream == null) {
                throw new FileNotFoundException(SAMPLE + " is not on the class path");
            }
            return stream;
        });
    }

    static EventFile at(Path path) {
        if (!Files.isRegularFile(path)) {
            throw new CommandFailedException(path
                    + (Files.exists(path) ? " is not a regular file; it has to be read twice" : " does not exist"));
        }
        return new EventFile(path.toString(), () -> Files.newInputStream(path));
    }

    String name() {
        return name;
    }

    InputStream open() throws IOException {
        return source.open();
    }

    private interface Source {
        InputStream open() throws IOException;
    }
}
