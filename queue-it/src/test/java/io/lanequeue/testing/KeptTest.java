package io.lanequeue.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.util.ClearSystemProperty;
import org.junit.jupiter.api.util.SetSystemProperty;

/** What differs from what is kept is found, but where it is written. */
@ClearSystemProperty(key = "lanequeue.write")
class KeptTest {

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void writeFile() throws IOException {
        file = Files.writeString(directory.resolve("kept"), "before <- kept -> after <- other ->");
    }

    @Test
    void whatIsKeptIsAccepted() throws IOException {
        Kept.assertHolds(file, "before <- kept -> after <- other ->");
        Kept.assertHolds(file, "<- ", " ->", "kept");
    }

    @Test
    void aDifferenceIsFound() {
        assertThatThrownBy(() -> Kept.assertHolds(file, "another")).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> Kept.assertHolds(file, "<- ", " ->", "another"))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void whereTheLinesOfAFileAreBrokenIsNoDifference() throws IOException {
        Kept.assertHolds(file, "before <-\n  kept -> after\n<- other ->\n");
    }

    @Test
    void aFileOrAMarkThatIsMissingIsFound() {
        assertThatThrownBy(() -> Kept.assertHolds(directory.resolve("missing"), ""))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> Kept.assertHolds(file, "<= ", " ->", "kept")).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> Kept.assertHolds(file, "<- ", " =>", "kept")).isInstanceOf(AssertionError.class);
    }

    @Test
    @SetSystemProperty(key = "lanequeue.write", value = "true")
    void withThePropertyADifferenceIsWritten() throws IOException {
        Kept.assertHolds(file, "<- ", " ->", "new");
        Path folder = directory.resolve("new");
        Kept.assertHolds(folder.resolve("file"), "all of it");

        assertThat(file).hasContent("before <- new -> after <- other ->");
        assertThat(folder.resolve("file")).hasContent("all of it");
    }
}
