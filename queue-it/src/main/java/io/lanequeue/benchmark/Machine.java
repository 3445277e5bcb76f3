package io.lanequeue.benchmark;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jooq.Constants;
import org.postgresql.util.DriverInfo;

/**
 * What the benchmark runs on; server and client share it.
 *
 * @param processor the model where the system tells it, else the architecture
 * @param cores the number of processors
 * @param memoryMegabytes all memory
 * @param system operating system and version
 * @param java the JVM
 * @param jooq the version of jOOQ
 * @param driver the version of the JDBC driver
 */
record Machine(
        String processor, int cores, long memoryMegabytes, String system, String java, String jooq, String driver) {

    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
    private static final String MODEL = "model name";
    private static final long MEGABYTE = 1024L * 1024;

    static Machine here() {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return new Machine(
                model(),
                system.getAvailableProcessors(),
                system.getTotalMemorySize() / MEGABYTE,
                system.getName() + " " + system.getVersion(),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.version"),
                Constants.FULL_VERSION,
                DriverInfo.DRIVER_FULL_NAME);
    }

    private static String model() {
        if (Files.isReadable(PROCESSORS)) {
            try (Stream<String> lines = Files.lines(PROCESSORS)) {
                return lines.filter(line -> line.startsWith(MODEL))
                        .map(line -> line.substring(line.indexOf(':') + 1).trim())
                        .findFirst()
                        .orElseGet(Machine::architecture);
            } catch (IOException e) {
                return architecture();
            }
        }
        return architecture();
    }

    private static String architecture() {
        return System.getProperty("os.arch");
    }
}
