package io.lanequeue.benchmark;

/** Whether a commit waits until it is on disk. The server's are durable; a database may choose not to wait for them. */
enum Commits {
    /** As people run their queues. For all that is about throughput. */
    AWAITED("on"),

    /**
     * For single calls that are compared with each other: the same wait on both sides would move their ratio towards 1.
     */
    NOT_AWAITED("off");

    private final String setting;

    Commits(String setting) {
        this.setting = setting;
    }

    /** The value of {@code synchronous_commit}. */
    String setting() {
        return setting;
    }
}
