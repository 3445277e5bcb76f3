package io.lanequeue.schema;

import java.nio.charset.StandardCharsets;

/**
 * The name of a repository, whose effects share a cap.
 *
 * @param value 1 to {@value #MAX_LENGTH} characters that PostgreSQL can store, not blank
 */
public record RepoId(String value) implements Comparable<RepoId> {

    public static final int MAX_LENGTH = 255;

    /** @throws InvalidInputException if the name is blank, too long, or cannot be stored */
    public RepoId {
        if (value.isBlank() || value.length() > MAX_LENGTH) {
            throw new InvalidInputException(
                    "repository", "must have 1 to " + MAX_LENGTH + " characters and not be blank");
        }
        if (value.indexOf('\0') >= 0 || !StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
            throw new InvalidInputException(
                    "repository", "holds a character that PostgreSQL cannot store (NUL or half a surrogate pair)");
        }
    }

    @Override
    public int compareTo(RepoId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
