package io.lanequeue.internal;

import java.util.ArrayList;
import java.util.List;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.Name;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * Rows given to a statement as one array per column, so that the text of the statement, and with it the server's plan,
 * stays the same for every number of rows.
 *
 * <p>Add the columns, then take {@link #table()}.
 */
public final class ArrayRows {

    private static final String POSITION = "position";

    private final String alias;
    private final List<Field<?>> arrays = new ArrayList<>();
    private final List<Name> names = new ArrayList<>();

    public ArrayRows(String alias) {
        this.alias = alias;
    }

    /** Adds a column of the given type; returns the field to refer to it. Null elements are kept. */
    public <T> Field<T> column(String name, DataType<T> type, List<? extends @Nullable T> values) {
        arrays.add(PgSql.array(values, type));
        names.add(DSL.name(name));
        return DSL.field(DSL.name(alias, name), type);
    }

    /** The row's place among the given ones, from 1. */
    public Field<Long> position() {
        return DSL.field(DSL.name(alias, POSITION), SQLDataType.BIGINT);
    }

    /** The rows as a table, in the order in which they were given. */
    public Table<?> table() {
        List<Name> columns = new ArrayList<>(names);
        columns.add(DSL.name(POSITION));
        return PgSql.unnestWithOrdinality(arrays).as(DSL.name(alias), columns.toArray(Name[]::new));
    }
}
