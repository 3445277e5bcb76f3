package io.lanequeue.soak;

/**
 * How big a table or an index is.
 *
 * @param table the table, or that of the index
 * @param relation the table or the index
 * @param bytes what it takes on disk; for a table with its map of free space
 * @param live rows, as the server counts them; 0 for an index
 * @param dead rows that wait to be vacuumed, as the server counts them: from zero after a crash; 0 for an index
 */
record RelationSize(String table, String relation, long bytes, long live, long dead) {

    /** Whether it is an index. */
    boolean isIndex() {
        return !relation.equals(table);
    }
}
