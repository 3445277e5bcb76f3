package io.lanequeue.demo;

import io.lanequeue.command.Failures;
import io.lanequeue.outbox.NewEvent;
import io.lanequeue.schema.InvalidInputException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the valid events of a file in their order, and reports the lines that are not. */
final class EventReader implements AutoCloseable {

    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final Lines lines;
    private final InvalidLines invalidLines;
    private final EventParser parser = new EventParser();

    EventReader(InputStream file, InvalidLines invalidLines) {
        this.lines = new Lines(file);
        this.invalidLines = invalidLines;
    }

    /** The next valid event, or null at the end of the file. */
    @Nullable
    EventLine next() throws IOException {
        for (Lines.Line line = lines.next(); line != null; line = lines.next()) {
            try {
                String text = textOf(line);
                if (!text.isBlank()) {
                    return new EventLine(line.number(), parser.parse(text));
                }
            } catch (InvalidInputException e) {
                invalidLines.report(line.number(), Failures.messageOf(e));
            }
        }
        return null;
    }

    /** The next valid events, so many at most and about so many characters of payload; empty at the end of the file. */
    List<EventLine> next(int limit, int payloadCharacters) throws IOException {
        List<EventLine> events = new ArrayList<>();
        int characters = 0;
        while (events.size() < limit && characters < payloadCharacters) {
            EventLine line = next();
            if (line == null) {
                break;
            }
            events.add(line);
            characters += lengthOf(line.event());
        }
        return events;
    }

    private static int lengthOf(NewEvent event) {
        return event.payload().data().length();
    }

    private static String textOf(Lines.Line line) {
        if (line.tooLong()) {
            throw new InvalidInputException("the line", "must have at most " + Lines.MAX_BYTES + " bytes");
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(line.content()))
                    .toString();
            return line.number() == 1 && text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new InvalidInputException("the line", "must be UTF-8", e);
        }
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
