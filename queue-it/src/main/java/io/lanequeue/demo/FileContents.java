package io.lanequeue.demo;

import io.lanequeue.schema.TargetUserId;
import java.io.IOException;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.BitSet;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;

/**
 * What a look through the file found, before anything is appended.
 *
 * @param digest SHA-256 of the file: with the line number, the name of an event that survives a restart
 * @param events the number of valid lines
 * @param lanes the number of users
 * @param middleLine the line number of the middle one of the valid lines
 */
record FileContents(String digest, int events, int lanes, int middleLine) {

    /** Reads the whole file and reports its invalid lines. */
    static FileContents of(EventFile file, InvalidLines invalidLines) throws IOException {
        MessageDigest digest = sha256();
        var validLines = new BitSet();
        Set<TargetUserId> users = new HashSet<>();
        try (var reader = new EventReader(new DigestInputStream(file.open(), digest), invalidLines)) {
            for (EventLine line = reader.next(); line != null; line = reader.next()) {
                validLines.set(line.number());
                users.add(line.event().targetUserId());
            }
        }
        int events = validLines.cardinality();
        int middleLine = validLines.stream().skip(events / 2).findFirst().orElse(0);
        return new FileContents(HexFormat.of().formatHex(digest.digest()), events, users.size(), middleLine);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
