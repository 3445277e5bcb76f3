package io.lanequeue.interleavings;

import io.lanequeue.testing.Session;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jooq.DSLContext;

/** One of two transactions: its calls, and what became of them. */
final class Transaction<L extends Ledger> {

    private final Session session;
    private final List<Session.Call<Report<L>>> calls = new ArrayList<>();
    private List<Report<L>> committed = List.of();
    private String refusal = "";

    Transaction(Session session) {
        this.session = session;
    }

    void takeSnapshot() {
        session.snapshot();
    }

    /** Starts a call; returns whether it waits for a lock, as soon as it does or has ended. */
    boolean call(Function<DSLContext, Report<L>> call) {
        Session.Call<Report<L>> underWay = session.start(call);
        calls.add(underWay);
        return underWay.waitsBeforeItEnds();
    }

    /** Commits when the calls have ended. */
    void commit() {
        try {
            List<Report<L>> reports = calls.stream().map(Session.Call::get).toList();
            if (session.tryCommit()) {
                committed = reports;
            } else {
                refusal = "40001 at commit";
            }
        } catch (RuntimeException e) {
            refusal = sqlStateOf(e);
            session.rollback();
        }
    }

    /** Rolls back when the calls have ended. */
    void rollback() {
        try {
            calls.forEach(Session.Call::get);
        } catch (RuntimeException e) {
            refusal = sqlStateOf(e);
        }
        session.rollback();
    }

    /** What the calls reported, in their order; nothing unless they were committed. */
    List<Report<L>> committed() {
        return committed;
    }

    /** The SQLSTATE of the call or commit that was refused; empty if none was. */
    String refusal() {
        return refusal;
    }

    private static String sqlStateOf(RuntimeException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException refused) {
                return refused.getSQLState();
            }
        }
        throw failure;
    }
}
