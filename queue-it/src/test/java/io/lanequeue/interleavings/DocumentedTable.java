package io.lanequeue.interleavings;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A table of docs/proof/interleavings.md, between a comment with its name and one that ends it. With the property
 * {@code lanequeue.write} it is written instead of compared.
 */
final class DocumentedTable {

    private static final Path PAGE = Path.of("../docs/proof/interleavings.md");

    private DocumentedTable() {}

    static void assertShows(String name, String seen) throws IOException {
        String page = Files.readString(PAGE);
        String begin = "<!-- " + name + " -->\n";
        assertThat(page).contains(begin);
        int from = page.indexOf(begin) + begin.length();
        int to = page.indexOf("\n<!-- end -->", from);
        if (Boolean.getBoolean("lanequeue.write")) {
            Files.writeString(PAGE, page.substring(0, from) + seen + page.substring(to));
        } else {
            assertThat(page.substring(from, to)).isEqualTo(seen);
        }
    }

    /** The rows, the header first, in Markdown. */
    static String markdown(List<List<String>> rows) {
        List<List<String>> lines = new ArrayList<>(rows);
        lines.add(1, Collections.nCopies(rows.get(0).size(), "---"));
        return lines.stream()
                .map(cells -> "| " + String.join(" | ", cells) + " |")
                .collect(joining("\n"));
    }
}
