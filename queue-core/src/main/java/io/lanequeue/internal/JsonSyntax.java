package io.lanequeue.internal;

import io.lanequeue.schema.InvalidInputException;
import java.util.BitSet;

/**
 * Recognises the JSON texts that PostgreSQL stores as {@code jsonb}: RFC 8259, without NUL, without half surrogate
 * pairs, and with numbers in the range of {@code numeric}. It only says yes or no; the database does the parsing.
 *
 * <p>Checked here because the database's refusal would end the caller's transaction and would not say which of a
 * thousand payloads it was about.
 */
public final class JsonSyntax {

    /** Deepest nesting of arrays and objects: well below where the server's stack ends. */
    public static final int MAX_DEPTH = 1_000;

    /**
     * Most digits of all numbers together, as the server prints them: without exponents. Stored, {@code 1e131071} takes
     * a few bytes, and a document of some thousands of these could never be read again.
     */
    public static final int MAX_PRINTED_DIGITS = 16 * 1024 * 1024;

    private static final int MAX_DIGITS_BEFORE = 131_072;
    private static final int MAX_DIGITS_AFTER = 16_383;
    private static final int MAX_EXPONENT = Integer.MAX_VALUE / 2 - 1;

    private final String what;
    private final String json;
    private int next;
    private long printedDigits;

    private JsonSyntax(String what, String json) {
        this.what = what;
        this.json = json;
    }

    /** @throws InvalidInputException if the text is not JSON that can be stored; the message says where and why */
    public static void check(String what, String json) {
        new JsonSyntax(what, json).document();
    }

    /** Not recursive: a deep document must be refused, not end the caller's stack. */
    private void document() {
        var isObject = new BitSet();
        int depth = 0;
        boolean valueComplete = false;
        while (true) {
            skipWhitespace();
            if (!valueComplete) {
                char c = peek();
                if (c == '{' || c == '[') {
                    next++;
                    if (++depth > MAX_DEPTH) {
                        throw refused("is nested deeper than " + MAX_DEPTH + " levels");
                    }
                    isObject.set(depth, c == '{');
                    skipWhitespace();
                    if (peek() == (c == '{' ? '}' : ']')) {
                        next++;
                        depth--;
                        valueComplete = true;
                    } else if (c == '{') {
                        key();
                    }
                } else {
                    scalar(c);
                    valueComplete = true;
                }
            } else if (depth == 0) {
                if (next < json.length()) {
                    throw refused("has more after its value");
                }
                return;
            } else {
                char c = peek();
                next++;
                if (c == ',') {
                    if (isObject.get(depth)) {
                        skipWhitespace();
                        key();
                    }
                    valueComplete = false;
                } else if (c == (isObject.get(depth) ? '}' : ']')) {
                    depth--;
                } else {
                    next--;
                    throw refused("has '" + c + "' where a comma or the end of the "
                            + (isObject.get(depth) ? "object" : "array") + " is due");
                }
            }
        }
    }

    private void key() {
        if (peek() != '"') {
            throw refused("has no name in quotes where one is due");
        }
        string();
        skipWhitespace();
        if (peek() != ':') {
            throw refused("has no colon after a name");
        }
        next++;
    }

    private void scalar(char first) {
        switch (first) {
            case '"' -> string();
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case 'n' -> literal("null");
            default -> number();
        }
    }

    private void literal(String literal) {
        if (!json.startsWith(literal, next)) {
            throw refused("has no value where one is due");
        }
        next += literal.length();
    }

    private void number() {
        if (at('-')) {
            next++;
        }
        int start = next;
        if (at('0')) {
            next++;
        } else {
            digits();
        }
        int point = next;
        if (at('.')) {
            next++;
            digits();
        }
        int end = next;
        long exponent = 0;
        if (at('e') || at('E')) {
            next++;
            boolean isNegative = at('-');
            if (isNegative || at('+')) {
                next++;
            }
            int first = next;
            digits();
            exponent = isNegative ? -exponent(first) : exponent(first);
        }
        // As the server does: 1x is one wrong word, not a number and a word.
        if (next < json.length() && (Character.isLetterOrDigit(json.charAt(next)) || at('_'))) {
            throw refused("has no value where one is due");
        }
        checkRange(start, point, end, exponent);
    }

    /** The digits from the first one to here; of those that are out of range something that is out of range too. */
    private long exponent(int first) {
        long exponent = 0;
        for (int i = first; i < next && exponent <= MAX_EXPONENT; i++) {
            exponent = 10 * exponent + (json.charAt(i) - '0');
        }
        return exponent;
    }

    /** A number is stored as {@code numeric}, which has so many digits before and after its point and no more. */
    private void checkRange(int start, int point, int end, long shift) {
        int firstDigit = start;
        while (firstDigit < end && (json.charAt(firstDigit) == '0' || firstDigit == point)) {
            firstDigit++;
        }
        boolean isZero = firstDigit == end;
        long digitsBefore = (firstDigit < point ? point - firstDigit : point + 1 - firstDigit) + shift;
        long digitsAfter = Math.max(0, end - point - 1) - shift;
        boolean isTooLarge = !isZero && digitsBefore > MAX_DIGITS_BEFORE;
        boolean isTooShifted = Math.abs(shift) > MAX_EXPONENT; // also of a zero
        if (isTooLarge || isTooShifted || digitsAfter > MAX_DIGITS_AFTER) {
            throw refused("has a number beyond the range of numeric");
        }
        printedDigits += Math.max(1, isZero ? 1 : digitsBefore) + Math.max(0, digitsAfter);
        if (printedDigits > MAX_PRINTED_DIGITS) {
            throw refused("has numbers of more than " + MAX_PRINTED_DIGITS + " digits without their exponents");
        }
    }

    private void digits() {
        int start = next;
        while (next < json.length() && json.charAt(next) >= '0' && json.charAt(next) <= '9') {
            next++;
        }
        if (next == start) {
            throw refused("has no value where one is due");
        }
    }

    private void string() {
        next++;
        while (true) {
            char c = peek();
            if (c == '"') {
                next++;
                return;
            }
            if (c == '\\') {
                escape();
            } else if (c < ' ') {
                throw refused("has a control character in a string");
            } else if (Character.isSurrogate(c)) {
                if (!Character.isSurrogatePair(c, next + 1 < json.length() ? json.charAt(next + 1) : ' ')) {
                    throw refused("has half a surrogate pair");
                }
                next += 2;
            } else {
                next++;
            }
        }
    }

    private void escape() {
        next++;
        char c = peek();
        next++;
        if (c != 'u') {
            if ("\"\\/bfnrt".indexOf(c) < 0) {
                next -= 2;
                throw refused("has an escape that JSON does not know");
            }
            return;
        }
        char unit = hexUnit();
        if (unit == 0) {
            throw refused("has \\u0000, which PostgreSQL cannot store");
        }
        if (Character.isSurrogate(unit)) {
            if (!json.startsWith("\\u", next)) {
                throw refused("has half a surrogate pair");
            }
            next += 2;
            if (!Character.isSurrogatePair(unit, hexUnit())) {
                throw refused("has half a surrogate pair");
            }
        }
    }

    private char hexUnit() {
        int unit = 0;
        for (int i = 0; i < 4; i++) {
            char c = peek();
            int digit = c < 128 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                throw refused("has an escape that JSON does not know");
            }
            unit = unit * 16 + digit;
            next++;
        }
        return (char) unit;
    }

    private void skipWhitespace() {
        while (at(' ') || at('\n') || at('\r') || at('\t')) {
            next++;
        }
    }

    private boolean at(char c) {
        return next < json.length() && json.charAt(next) == c;
    }

    private char peek() {
        if (next >= json.length()) {
            throw refused("ends too early");
        }
        return json.charAt(next);
    }

    private InvalidInputException refused(String why) {
        return new InvalidInputException(
                what, "must be JSON that PostgreSQL can store, but " + why + " at character " + next);
    }
}
