package io.lanequeue.demo;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonParser.NumberType;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.schema.InvalidInputException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes an event of one line. Immutable and thread-safe. */
final class EventParser {

    // Names in payloads are anyone's: they are not worth remembering.
    private final JsonFactory json = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .build();

    /**
     * The event of a line such as
     *
     * <pre>{"user": 17, "pts": 4, "type": "message.created", "payload": {"text": "Hello"}}</pre>
     *
     * with the payload exactly as it is written there.
     *
     * @throws InvalidInputException if the line is no such event; the message says what is wrong
     */
    NewEvent parse(String line) {
        try (JsonParser parser = json.createParser(line)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new InvalidInputException("the line", "must be a JSON object");
            }
            NewEvent event = new Fields(line, parser).event();
            if (parser.nextToken() != null) {
                throw new InvalidInputException("the line", "must end after the event");
            }
            return event;
        } catch (JsonProcessingException e) {
            throw new InvalidInputException("the line", "must be valid JSON: " + inWords(e), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Jackson's message without its remarks in brackets, which speak of sources and are of no use for a single line.
     */
    private static String inWords(JsonProcessingException failure) {
        String message = failure.getOriginalMessage();
        int remark = message.indexOf(" (start marker");
        String words = remark < 0 ? message : message.substring(0, remark);
        JsonLocation location = failure.getLocation();
        return location == null ? words : words + " (column " + location.getColumnNr() + ")";
    }

    /** The fields of one line, as far as they have been read. */
    private static final class Fields {

        private final String line;
        private final JsonParser parser;
        private final Set<String> seen = new HashSet<>();
        private @Nullable Long user;
        private @Nullable Integer pts;
        private @Nullable String type;
        private @Nullable String payload;

        Fields(String line, JsonParser parser) {
            this.line = line;
            this.parser = parser;
        }

        NewEvent event() throws IOException {
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                if (!seen.add(name)) {
                    throw new InvalidInputException(name, "must be there once only");
                }
                parser.nextToken();
                switch (name) {
                    case "user" -> user = wholeNumber(name, Long.MAX_VALUE);
                    case "pts" -> pts = (int) wholeNumber(name, Integer.MAX_VALUE);
                    case "type" -> type = text(name);
                    case "payload" -> payload = object(name);
                    default -> parser.skipChildren();
                }
            }
            return NewEvent.of(
                    present("user", user), present("pts", pts), present("type", type), present("payload", payload));
        }

        private static <T> T present(String name, @Nullable T value) {
            if (value == null) {
                throw new InvalidInputException(name, "must be there, but is missing");
            }
            return value;
        }

        private long wholeNumber(String name, long max) throws IOException {
            if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT) {
                throw wrongType(name, "a whole number");
            }
            boolean fits = parser.getNumberType() != NumberType.BIG_INTEGER;
            if (!fits || parser.getLongValue() < 0 || parser.getLongValue() > max) {
                throw new InvalidInputException(
                        name, "must be from 0 to " + max + ", but is " + shortened(parser.getText()));
            }
            return parser.getLongValue();
        }

        private String text(String name) throws IOException {
            if (parser.currentToken() != JsonToken.VALUE_STRING) {
                throw wrongType(name, "a string");
            }
            return parser.getText();
        }

        private String object(String name) throws IOException {
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                throw wrongType(name, "an object");
            }
            long start = parser.currentTokenLocation().getCharOffset();
            parser.skipChildren();
            return line.substring((int) start, (int) parser.currentLocation().getCharOffset());
        }

        private InvalidInputException wrongType(String name, String expected) throws IOException {
            String found = switch (parser.currentToken()) {
                case START_OBJECT -> "an object";
                case START_ARRAY -> "an array";
                case VALUE_STRING -> "a string";
                default -> shortened(parser.getText());
            };
            return new InvalidInputException(name, "must be " + expected + ", but is " + found);
        }

        private static String shortened(String text) {
            return text.length() <= 40 ? text : text.substring(0, 40) + "…";
        }
    }
}
