package io.lanequeue.benchmark.baseline;

import java.util.Locale;

/**
 * Ways to find the first message of each lane without keeping it. Each takes the lanes that have waited longest, by the
 * age of their first message, but for the last one.
 */
public enum HeadFinder {

    /** Reads the lane index from end to end. */
    DISTINCT_ON("DISTINCT ON", """
            SELECT m.place
            FROM (SELECT f.id FROM (SELECT DISTINCT ON (lane) id FROM messages ORDER BY lane, pts, id) f ORDER BY f.id) h
            CROSS JOIN LATERAL (SELECT x.ctid AS place
                                FROM messages x
                                WHERE x.id = h.id AND x.leased_until <= statement_timestamp()
                                FOR UPDATE SKIP LOCKED) m
            LIMIT ?"""),

    /** Walks the messages from the oldest on and leaves out those that have one before them. */
    NOT_EXISTS("NOT EXISTS", """
            SELECT m.ctid
            FROM messages m
            WHERE m.leased_until <= statement_timestamp()
              AND NOT EXISTS (SELECT 1 FROM messages p WHERE p.lane = m.lane AND (p.pts, p.id) < (m.pts, m.id))
            ORDER BY m.id
            LIMIT ?
            FOR UPDATE SKIP LOCKED"""),

    /** Jumps through the lane index from lane to lane. */
    LOOSE_SCAN("loose index scan", """
            WITH RECURSIVE first AS (
                (SELECT lane, id FROM messages ORDER BY lane, pts, id LIMIT 1)
                UNION ALL
                SELECT n.lane, n.id
                FROM first f
                CROSS JOIN LATERAL (SELECT lane, id
                                    FROM messages
                                    WHERE lane > f.lane
                                    ORDER BY lane, pts, id
                                    LIMIT 1) n)
            SELECT m.place
            FROM (SELECT f.id FROM first f ORDER BY f.id) h
            CROSS JOIN LATERAL (SELECT x.ctid AS place
                                FROM messages x
                                WHERE x.id = h.id AND x.leased_until <= statement_timestamp()
                                FOR UPDATE SKIP LOCKED) m
            LIMIT ?"""),

    /**
     * As {@link #LOOSE_SCAN}, but content with the lowest lanes that are free: it stops early, and under load serves no
     * others.
     */
    LOOSE_SCAN_LOWEST_LANES("loose index scan, lowest lanes", """
            WITH RECURSIVE first AS (
                (SELECT lane, id FROM messages ORDER BY lane, pts, id LIMIT 1)
                UNION ALL
                SELECT n.lane, n.id
                FROM first f
                CROSS JOIN LATERAL (SELECT lane, id
                                    FROM messages
                                    WHERE lane > f.lane
                                    ORDER BY lane, pts, id
                                    LIMIT 1) n)
            SELECT m.place
            FROM first f
            CROSS JOIN LATERAL (SELECT x.ctid AS place
                                FROM messages x
                                WHERE x.id = f.id AND x.leased_until <= statement_timestamp()
                                FOR UPDATE SKIP LOCKED) m
            LIMIT ?""");

    private final String words;
    private final String places;

    HeadFinder(String words, String places) {
        this.words = words;
        this.places = places;
    }

    /** For the ids of figures. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether the lanes that wait longest come first, so that each gets its turn. */
    public boolean takesTurns() {
        return this != LOOSE_SCAN_LOWEST_LANES;
    }

    /** The places of the first messages to claim; the limit is the parameter. */
    String places() {
        return places;
    }

    @Override
    public String toString() {
        return words;
    }
}
