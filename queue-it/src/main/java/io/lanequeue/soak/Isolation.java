package io.lanequeue.soak;

/** The isolation levels at which producers append. */
enum Isolation {
    READ_COMMITTED("read committed"),
    REPEATABLE_READ("repeatable read"),
    SERIALIZABLE("serializable");

    private final String sql;

    Isolation(String sql) {
        this.sql = sql;
    }

    String sql() {
        return sql;
    }
}
