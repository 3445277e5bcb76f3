package io.lanequeue.soak;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import java.sql.SQLException;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * Runs transactions of one client and always knows which of them committed. Each of them writes its number into the
 * client's row. Where the answer to a commit was lost, that row is asked; it is locked for that, so that a commit that
 * is still under way is waited for.
 */
final class Witness {

    private static final String SCHEMA = "lanequeue_soak";
    private static final Table<Record> WITNESSES = table(name(SCHEMA, "witnesses"));
    private static final Field<String> NAME = field(name(SCHEMA, "witnesses", "name"), SQLDataType.VARCHAR);
    private static final Field<Long> LAST = field(name(SCHEMA, "witnesses", "last_committed"), SQLDataType.BIGINT);

    private final Client client;
    private final String name;
    private final Counts<Happening> happenings;
    private long number;

    Witness(Client client, String name, Counts<Happening> happenings) {
        this.client = client;
        this.name = name;
        this.happenings = happenings;
        client.callUntilAnswered(dsl -> dsl.insertInto(WITNESSES, NAME, LAST)
                .values(name, 0L)
                .onConflict(NAME)
                .doUpdate()
                .set(LAST, 0L)
                .execute());
    }

    /** Creates the table of the witnesses' rows, where it is missing. */
    static void createTable(DSLContext dsl) {
        dsl.createSchemaIfNotExists(name(SCHEMA)).execute();
        dsl.createTableIfNotExists(WITNESSES)
                .column(NAME)
                .column(LAST)
                .primaryKey(NAME)
                .execute();
    }

    /**
     * Runs the work in a transaction.
     *
     * @return what the work returned, if the transaction committed
     */
    <T> Optional<T> commit(Isolation isolation, Work<T> work) throws InterruptedException {
        return client.inTheMiddleOf(() -> tryCommit(isolation, work));
    }

    private <T> Optional<T> tryCommit(Isolation isolation, Work<T> work) throws InterruptedException {
        number++;
        T result = null;
        try {
            begin(isolation);
            result = work.in(client.dsl());
            client.connection().commit();
            client.connection().setAutoCommit(true);
            return Optional.of(result);
        } catch (RolledBackOnPurpose e) {
            rollBack();
            happenings.add(Happening.ROLLED_BACK);
            return Optional.empty();
        } catch (RuntimeException | SQLException e) {
            return switch (Refusal.of(e)) {
                case LOST_CONNECTION -> afterLoss(result);
                case GAVE_WAY -> {
                    rollBack();
                    happenings.add(Happening.CALLED_AGAIN);
                    yield Optional.empty();
                }
                case DEFECT -> throw new IllegalStateException("A transaction failed", e);
            };
        }
    }

    private void begin(Isolation isolation) throws SQLException {
        client.connection().setAutoCommit(false);
        client.dsl().execute("set transaction isolation level " + isolation.sql());
        client.dsl().update(WITNESSES).set(LAST, number).where(NAME.eq(name)).execute();
    }

    private void rollBack() {
        try {
            client.connection().rollback();
            client.connection().setAutoCommit(true);
        } catch (SQLException e) {
            // The connection was lost: rolled back all the same.
            client.close();
        }
    }

    /** @param result what the work returned; null if it did not end, so that nobody asked for the commit */
    private <T> Optional<T> afterLoss(@Nullable T result) {
        client.close();
        if (result == null) {
            return Optional.empty();
        }
        boolean committed = lastCommitted() == number;
        happenings.add(committed ? Happening.IN_DOUBT_COMMITTED : Happening.IN_DOUBT_LOST);
        return committed ? Optional.of(result) : Optional.empty();
    }

    private long lastCommitted() {
        return client.callUntilAnswered(dsl -> dsl.select(LAST)
                .from(WITNESSES)
                .where(NAME.eq(name))
                .forUpdate()
                .fetchSingle(LAST));
    }
}
