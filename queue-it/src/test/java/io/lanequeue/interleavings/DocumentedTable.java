package io.lanequeue.interleavings;

import static java.util.stream.Collectors.joining;

import io.lanequeue.testing.Kept;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A table of docs/proof/interleavings.md, between a comment with its name and one that ends it. It is {@link Kept}. */
final class DocumentedTable {

    private static final Path PAGE = Path.of("../docs/proof/interleavings.md");

    private DocumentedTable() {}

    static void assertShows(String name, String seen) throws IOException {
        Kept.assertHolds(PAGE, "<!-- " + name + " -->\n", "\n<!-- end -->", seen);
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
