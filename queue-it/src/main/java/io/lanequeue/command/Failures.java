package io.lanequeue.command;

/** Words for what went wrong. */
public final class Failures {

    private static final int MAX_LENGTH = 400;

    private Failures() {}

    /** The message and, where it says more, what the last cause says. Statements in messages are cut. */
    public static String inWords(Throwable failure) {
        String message = messageOf(failure);
        String root = rootInWords(failure);
        return message.contains(root)
                ? shortened(message)
                : shortened(message) + System.lineSeparator() + "  because: " + shortened(root);
    }

    /** What the last cause says, in one line: where the database refused something, the database's own words. */
    public static String rootInWords(Throwable failure) {
        Throwable root = failure;
        for (Throwable cause = root.getCause(); cause != null; cause = root.getCause()) {
            root = cause;
        }
        return messageOf(root).lines().findFirst().orElse("");
    }

    /** The message; the kind of failure where it has none. */
    public static String messageOf(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message;
    }

    private static String shortened(String message) {
        return message.length() <= MAX_LENGTH ? message : message.substring(0, MAX_LENGTH) + "…";
    }
}
