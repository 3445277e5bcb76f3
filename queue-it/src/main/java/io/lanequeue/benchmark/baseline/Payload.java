package io.lanequeue.benchmark.baseline;

/** The payload that every queue carries, about 120 bytes, with a number in it. */
public final class Payload {

    /** Characters of text beside the number. */
    public static final int TEXT_LENGTH = 100;

    /** The payload as SQL, for the number {@code i}. */
    static final String SQL = "jsonb_build_object('n', i, 'text', repeat('x', " + TEXT_LENGTH + "))";

    private static final String BEFORE_NUMBER = "{\"n\": ";
    private static final String AFTER_NUMBER = ", \"text\": \"" + "x".repeat(TEXT_LENGTH) + "\"}";

    private Payload() {}

    /** The payload of a number, written as PostgreSQL writes it. */
    public static String of(long number) {
        return BEFORE_NUMBER + number + AFTER_NUMBER;
    }

    /** The number in a payload. */
    public static long numberIn(String payload) {
        int end = payload.indexOf(',');
        return Long.parseLong(payload.substring(BEFORE_NUMBER.length(), end));
    }
}
