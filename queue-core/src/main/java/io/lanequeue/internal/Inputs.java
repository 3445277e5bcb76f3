package io.lanequeue.internal;

import io.lanequeue.schema.InvalidInputException;
import java.time.Duration;
import java.time.Instant;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.impl.DefaultConnectionProvider;

/** Checks of what callers hand in, before a statement is sent: a refused statement would end their transaction. */
public final class Inputs {

    /** Longest error text that is kept, in characters. */
    public static final int MAX_ERROR_LENGTH = 8_192;

    private static final char REPLACEMENT = '\uFFFD';

    private Inputs() {}

    /**
     * A short text such as a name.
     *
     * @throws InvalidInputException if it is blank, longer than {@code maxLength}, or cannot be stored as text
     */
    public static void text(String what, String text, int maxLength) {
        if (text.isBlank()) {
            throw new InvalidInputException(what, "must not be blank");
        }
        storable(what, text, maxLength);
    }

    /**
     * A text of any kind, which may be blank.
     *
     * @throws InvalidInputException if it is longer than {@code maxLength}, or cannot be stored as text
     */
    public static void storable(String what, String text, int maxLength) {
        if (text.length() > maxLength) {
            throw new InvalidInputException(
                    what, "must have at most " + maxLength + " characters, but has " + text.length());
        }
        int unstorable = firstUnstorable(text);
        if (unstorable >= 0) {
            throw new InvalidInputException(
                    what,
                    "holds a character that PostgreSQL cannot store (NUL or half a surrogate pair) at " + unstorable);
        }
    }

    /** An error text that can be stored: what cannot is replaced by U+FFFD, what is too long is cut and says so. */
    public static String error(String text) {
        var kept = new StringBuilder(Math.min(text.length(), MAX_ERROR_LENGTH));
        int index = 0;
        while (index < text.length() && index < MAX_ERROR_LENGTH) {
            int codePoint = text.codePointAt(index);
            boolean storable = codePoint != 0 && !isSurrogate(codePoint);
            kept.appendCodePoint(storable ? codePoint : REPLACEMENT);
            index += Character.charCount(codePoint);
        }
        if (index < text.length()) {
            kept.append("… (cut from ").append(text.length()).append(" characters)");
        }
        return kept.toString();
    }

    /** The index of the first character that PostgreSQL cannot store as text, or -1. */
    static int firstUnstorable(String text) {
        int index = 0;
        while (index < text.length()) {
            int codePoint = text.codePointAt(index);
            if (codePoint == 0 || isSurrogate(codePoint)) {
                return index;
            }
            index += Character.charCount(codePoint);
        }
        return -1;
    }

    private static boolean isSurrogate(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }

    /** @throws InvalidInputException if the number is not from 1 to {@code max} */
    public static void limit(String what, int number, int max) {
        if (number < 1 || number > max) {
            throw new InvalidInputException(what, "must be from 1 to " + max + ", but is " + number);
        }
    }

    /** @throws InvalidInputException if the duration is not from {@code min} to {@code max} */
    public static void duration(String what, Duration duration, Duration min, Duration max) {
        if (duration.compareTo(min) < 0 || duration.compareTo(max) > 0) {
            throw new InvalidInputException(what, "must be from " + min + " to " + max + ", but is " + duration);
        }
    }

    /** @throws InvalidInputException for {@link Instant#MAX}, which stands for "never" */
    public static Instant moment(Instant moment) {
        if (moment.equals(Instant.MAX)) {
            throw new InvalidInputException("moment " + moment, "must be before the end of time");
        }
        return moment;
    }

    /** The configuration of a context that takes its connections from a source. */
    public static Configuration source(String what, DSLContext dsl, String why) {
        if (dsl.configuration().connectionProvider() instanceof DefaultConnectionProvider) {
            throw new InvalidInputException(what, "must take its connections from a DataSource or pool: " + why);
        }
        return dsl.configuration();
    }
}
