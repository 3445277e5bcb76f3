package io.lanequeue.benchmark;

import java.sql.SQLException;
import java.util.List;

/** Measures one or two figures beside their baselines. */
interface Scenario {

    /** The figures it measures, without their parts: {@code B3}, not {@code B3.lanes}. */
    List<String> figures();

    /** Whether commits wait for the disk where it is measured. */
    default Commits commits() {
        return Commits.AWAITED;
    }

    /** Measures on databases of its own, and adds what it found to the results. */
    void measure(Lab lab, Results results) throws SQLException, InterruptedException;
}
