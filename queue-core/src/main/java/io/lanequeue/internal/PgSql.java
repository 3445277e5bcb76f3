package io.lanequeue.internal;

import io.lanequeue.schema.InstantBinding;
import java.lang.reflect.Array;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jooq.Condition;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jooq.types.DayToSecond;
import org.jspecify.annotations.Nullable;

/** What PostgreSQL has and jOOQ's DSL has not, as typed functions. The only place of this module for plain SQL. */
public final class PgSql {

    private static final DataType<Instant> MOMENT =
            SQLDataType.TIMESTAMPWITHTIMEZONE(6).asConvertedDataType(new InstantBinding());

    private PgSql() {}

    /** The arrays side by side as rows, in order, with the position (from 1) as the last column. */
    static Table<?> unnestWithOrdinality(List<? extends Field<?>> arrays) {
        String slots = IntStream.range(0, arrays.size())
                .mapToObj(slot -> "{" + slot + "}")
                .collect(Collectors.joining(", ", "unnest(", ") with ordinality"));
        return DSL.table(slots, arrays.toArray(Field<?>[]::new));
    }

    /** The database's clock at the start of the present statement: stable within it, so that an index can be used. */
    public static Field<Instant> statementTimestamp() {
        return DSL.function(DSL.name("statement_timestamp"), MOMENT);
    }

    /** The moment that stands for "never": a blocked lane is available then. */
    public static Field<Instant> infinity() {
        return DSL.field("timestamptz 'infinity'", MOMENT);
    }

    /** A moment as a bind value. */
    public static Field<Instant> moment(Instant moment) {
        return DSL.val(moment, MOMENT);
    }

    /** A moment and a duration after it. */
    public static Field<Instant> after(Field<Instant> moment, Field<DayToSecond> duration) {
        return DSL.field("({0} + {1})", MOMENT, moment, duration);
    }

    /** A moment and a duration before it. */
    public static Field<Instant> before(Field<Instant> moment, Field<DayToSecond> duration) {
        return DSL.field("({0} - {1})", MOMENT, moment, duration);
    }

    /**
     * Whether the row that an {@code INSERT … ON CONFLICT DO UPDATE … RETURNING} returns was inserted: only a row that
     * was there before has a transaction that locked or replaced it.
     */
    public static Field<Boolean> wasInserted(Table<?> table) {
        return DSL.field("({0}.xmax = 0)", SQLDataType.BOOLEAN, table);
    }

    /**
     * How many transactions have got an id since the one that wrote this version of a row; counted to the present one's
     * id, so negative for younger ones.
     */
    public static Field<Integer> ageOfVersion(Table<?> table) {
        return DSL.field("age({0}.xmin)", SQLDataType.INTEGER, table);
    }

    /** Whether each statement of this transaction has a snapshot of its own. */
    public static Condition isReadCommitted() {
        return DSL.condition("current_setting('transaction_isolation') in ('read committed', 'read uncommitted')");
    }

    /** A duration as a bind value. */
    public static Field<DayToSecond> interval(Duration duration) {
        return DSL.val(DayToSecond.valueOf(duration), SQLDataType.INTERVALDAYTOSECOND);
    }

    /**
     * A limit that the planner does not know. For one that it knows it may read and sort all there is instead of
     * walking an index in its order, if it believes that there is not much more.
     */
    public static Field<Long> limit(int limit) {
        return DSL.field(DSL.select(DSL.val((long) limit).cast(SQLDataType.BIGINT)));
    }

    /** Values as one bind value, so that the text of the statement does not depend on their number. */
    @SuppressWarnings("unchecked") // an array of the type's own class is an array of the type
    public static <T> Field<T[]> array(Collection<? extends @Nullable T> values, DataType<T> type) {
        return DSL.val(values.toArray(size -> (T[]) Array.newInstance(type.getType(), size)), type.array());
    }

    /**
     * {@code field = other and field = any (array (select other from rows))}, for a join of a large table with few
     * rows: the equation again, as a condition that an index can answer before the join. With the equation alone the
     * planner may hash the whole table, or, believing it empty, scan it for each of the rows.
     */
    public static <T> Condition looksUp(Field<T> field, Table<?> rows, Field<T> other) {
        return field.eq(other).and(field.eq(DSL.any(DSL.array(DSL.select(other).from(rows)))));
    }
}
