package io.lanequeue.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Writes samples as comma-separated values. */
final class SampleFile {

    private static final String HEADER = "seconds,table,relation,bytes,live_rows,dead_rows";

    private SampleFile() {}

    static void write(Path file, List<Sample> samples) throws IOException {
        Stream<String> lines = samples.stream().flatMap(SampleFile::lines);
        Files.write(file, (Iterable<String>) Stream.concat(Stream.of(HEADER), lines)::iterator);
    }

    private static Stream<String> lines(Sample sample) {
        return sample.relations().stream()
                .map(size -> String.format(
                        Locale.ROOT,
                        "%.1f,%s,%s,%d,%d,%d",
                        sample.at().toMillis() / 1000.0,
                        size.table(),
                        size.relation(),
                        size.bytes(),
                        size.live(),
                        size.dead()));
    }
}
