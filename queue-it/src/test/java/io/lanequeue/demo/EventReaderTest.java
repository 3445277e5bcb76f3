package io.lanequeue.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.outbox.NewEvent;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventReaderTest {

    private final List<String> problems = new ArrayList<>();

    @Test
    void keepsThePayloadAsItIsWritten() {
        assertThat(read(
                        "{\"extra\": {\"user\": [1]}, \"payload\": {\"ü\": \"𝄞\", \"n\":  1.50, \"n\": {\"pts\": 1}}, \"user\": 2,"
                                + " \"pts\": 0, \"type\": \"a\"}"))
                .containsExactly(
                        new EventLine(1, NewEvent.of(2, 0, "a", "{\"ü\": \"𝄞\", \"n\":  1.50, \"n\": {\"pts\": 1}}")));
        assertThat(problems).isEmpty();
    }

    @Test
    void readsLinesOfEveryEndingAndCountsBlankOnes() {
        String event = "{\"user\": 1, \"pts\": 1, \"type\": \"a\", \"payload\": {}}";

        assertThat(read("\uFEFF" + event + "\r\n\n  \r\n" + event + "\n" + event))
                .extracting(EventLine::number)
                .containsExactly(1, 4, 5);
        assertThat(problems).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "not json                                                        | must be valid JSON",
                "[1]                                                             | must be a JSON object",
                "{'user': 1, 'pts': 1, 'type': 'a', 'payload': {}                | must be valid JSON",
                "{'user': 1, 'pts': 1, 'type': 'a', 'payload': {}} {}            | must end after the event",
                "{'user': 1, 'pts': 1, 'pts': 2, 'type': 'a', 'payload': {}}     | pts must be there once only",
                "{'pts': 1, 'type': 'a', 'payload': {}}                          | user must be there",
                "{'user': 1, 'pts': 1, 'type': 'a'}                              | payload must be there",
                "{'user': -1, 'pts': 1, 'type': 'a', 'payload': {}}              | user must be from 0",
                "{'user': 9223372036854775808, 'pts': 1, 'type': 'a', 'payload': {}} | user must be from 0",
                "{'user': 1, 'pts': 2147483648, 'type': 'a', 'payload': {}}      | pts must be from 0",
                "{'user': 1, 'pts': 1.0, 'type': 'a', 'payload': {}}             | pts must be a whole number, but is 1.0",
                "{'user': '1', 'pts': 1, 'type': 'a', 'payload': {}}             | user must be a whole number, but is a string",
                "{'user': 1, 'pts': 1, 'type': null, 'payload': {}}              | type must be a string, but is null",
                "{'user': 1, 'pts': 1, 'type': ' ', 'payload': {}}               | must not be blank",
                "{'user': 1, 'pts': 1, 'type': 'a', 'payload': 'text'}           | payload must be an object, but is a string",
                "{'user': 1, 'pts': 1, 'type': 'a', 'payload': {'a': '\\u0000'}} | which PostgreSQL cannot store",
                "{'user': 1, 'pts': 1, 'type': 'a', 'payload': {'a': '\\ud83d'}} | half a surrogate pair",
            })
    void saysWhatIsWrong(String line, String problem) {
        assertThat(read(line.replace('\'', '"'))).isEmpty();
        assertThat(problems).singleElement().asString().startsWith("1: ").contains(problem);
    }

    @Test
    void skipsALineThatIsTooLong() {
        String event = "{\"user\": 1, \"pts\": 1, \"type\": \"a\", \"payload\": {}}";

        assertThat(read("x".repeat(Lines.MAX_BYTES + 1) + "\n" + event))
                .extracting(EventLine::number)
                .containsExactly(2);
        assertThat(problems).containsExactly("1: the line must have at most " + Lines.MAX_BYTES + " bytes");
    }

    @Test
    void skipsWhatIsNotUtf8() {
        assertThat(read("ü".getBytes(StandardCharsets.ISO_8859_1))).isEmpty();
        assertThat(problems).containsExactly("1: the line must be UTF-8");
    }

    private List<EventLine> read(String file) {
        return read(file.getBytes(StandardCharsets.UTF_8));
    }

    private List<EventLine> read(byte[] file) {
        try (var reader = new EventReader(
                new ByteArrayInputStream(file), (line, problem) -> problems.add(line + ": " + problem))) {
            return reader.next(Integer.MAX_VALUE, Integer.MAX_VALUE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
