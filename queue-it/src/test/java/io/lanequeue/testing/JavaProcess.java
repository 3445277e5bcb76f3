package io.lanequeue.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Java processes with the class path of the tests. */
public final class JavaProcess {

    private JavaProcess() {}

    /** Of a main class; what it writes comes in one stream. */
    public static ProcessBuilder of(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dorg.jooq.no-logo=true",
                "-Dorg.jooq.no-tips=true",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-classpath",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true);
    }
}
