package io.lanequeue.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Java processes with the class path of the tests. */
public final class JavaProcess {

    private JavaProcess() {}

    /** Starts a main class; what it writes comes in one stream. */
    public static Process start(Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dorg.jooq.no-logo=true",
                "-Dorg.jooq.no-tips=true",
                "-classpath",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }
}
