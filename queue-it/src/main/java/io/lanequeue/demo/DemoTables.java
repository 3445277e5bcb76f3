package io.lanequeue.demo;

import static io.lanequeue.schema.jooq.Tables.DISPATCH_OUTBOX;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import io.lanequeue.schema.EventId;
import io.lanequeue.schema.TargetUserId;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.Collection;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/** The demo's own tables, in the schema {@code lanequeue_demo}; {@code demo/tables.sql} says what they are for. */
final class DemoTables {

    static final Table<Record> RUNS = tableOf("runs");
    static final Field<Long> RUN_ID = column("runs", "id", SQLDataType.BIGINT);
    static final Field<String> RUN_FILE_NAME = column("runs", "file_name", SQLDataType.CLOB);
    static final Field<String> RUN_FILE_DIGEST = column("runs", "file_digest", SQLDataType.CLOB);
    static final Field<String> RUN_RELEASED = column("runs", "released", SQLDataType.CLOB);
    static final Field<OffsetDateTime> RUN_FINISHED_AT =
            column("runs", "finished_at", SQLDataType.TIMESTAMPWITHTIMEZONE);
    static final Field<Boolean> RUN_CHECK_HELD = column("runs", "check_held", SQLDataType.BOOLEAN);

    static final Table<Record> LINES = tableOf("lines");
    static final Field<Long> LINE_RUN = column("lines", "run_id", SQLDataType.BIGINT);
    static final Field<Integer> LINE = column("lines", "line", SQLDataType.INTEGER);
    static final Field<EventId> LINE_EVENT = column("lines", "event_id", DISPATCH_OUTBOX.ID.getDataType());
    static final Field<TargetUserId> LINE_LANE = column("lines", "lane", DISPATCH_OUTBOX.TARGET_USER_ID.getDataType());
    static final Field<Integer> LINE_PTS = column("lines", "pts", SQLDataType.INTEGER);

    static final Table<Record> DELIVERIES = tableOf("deliveries");
    static final Field<Long> DELIVERY_SEQ = column("deliveries", "seq", SQLDataType.BIGINT);
    static final Field<Long> DELIVERY_RUN = column("deliveries", "run_id", SQLDataType.BIGINT);
    static final Field<EventId> DELIVERY_EVENT = column("deliveries", "event_id", DISPATCH_OUTBOX.ID.getDataType());
    static final Field<TargetUserId> DELIVERY_LANE =
            column("deliveries", "lane", DISPATCH_OUTBOX.TARGET_USER_ID.getDataType());
    static final Field<String> DELIVERY_WORKER = column("deliveries", "worker", SQLDataType.CLOB);

    private static final String SCHEMA = "lanequeue_demo";
    private static final String DEFINITION = "/demo/tables.sql";

    private DemoTables() {}

    /** Creates the schema and the tables where they are missing. */
    static void create(DSLContext dsl) {
        define(dsl, DEFINITION);
    }

    /** Runs the statements of a file on the class path, in one transaction. */
    static void define(DSLContext dsl, String file) {
        try (InputStream definition = DemoTables.class.getResourceAsStream(file)) {
            if (definition == null) {
                throw new IllegalStateException(file + " is not on the class path");
            }
            String sql = new String(definition.readAllBytes(), StandardCharsets.UTF_8);
            dsl.transaction(transaction -> transaction.dsl().execute(sql));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether a row belongs to one of the runs. */
    static Condition ofRuns(Field<Long> run, Collection<Long> runs) {
        return run.eq(any(runs.toArray(Long[]::new)));
    }

    static Table<Record> tableOf(String table) {
        return table(name(SCHEMA, table));
    }

    static <T> Field<T> column(String table, String column, DataType<T> type) {
        return field(name(SCHEMA, table, column), type);
    }
}
