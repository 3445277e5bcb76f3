package io.lanequeue.interleavings;

import io.lanequeue.testing.Isolation;
import java.util.ArrayList;
import java.util.List;

/** The isolation levels of two transactions, and how the first one ends. */
record Setting(Isolation first, Isolation second, Ending ending) {

    static final Setting PLAIN = new Setting(Isolation.READ_COMMITTED, Isolation.READ_COMMITTED, Ending.COMMITS);

    /** All in which the first one commits. */
    static final List<Setting> FIRST_COMMITS = all(Ending.COMMITS, Ending.COMMITS_UNSEEN);

    static final List<Setting> FIRST_ROLLS_BACK = all(Ending.ROLLS_BACK);

    private static List<Setting> all(Ending... endings) {
        List<Setting> settings = new ArrayList<>();
        for (Isolation first : Isolation.values()) {
            for (Isolation second : Isolation.values()) {
                for (Ending ending : endings) {
                    // At READ COMMITTED a call sees whatever is committed when it begins.
                    if (ending != Ending.COMMITS_UNSEEN || second != Isolation.READ_COMMITTED) {
                        settings.add(new Setting(first, second, ending));
                    }
                }
            }
        }
        return List.copyOf(settings);
    }

    boolean bothAre(Isolation isolation) {
        return first == isolation && second == isolation;
    }
}
