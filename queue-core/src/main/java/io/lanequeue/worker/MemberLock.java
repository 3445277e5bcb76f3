package io.lanequeue.worker;

import static org.jooq.impl.DSL.currentCatalog;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.val;

import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/**
 * The advisory lock by which a session is a member of a group. Its first key stands for the group, its second one for
 * the member. It ends with the session, so who dies is no member any more.
 *
 * @param member 0 or more
 */
record MemberLock(ShardGroup group, int member) {

    private static final Table<?> LOCKS = table(name("pg_catalog", "pg_locks"));
    private static final Table<?> DATABASES = table(name("pg_catalog", "pg_database"));

    /** How {@code pg_locks} marks a lock of two keys. */
    private static final int TWO_KEYS = 2;

    /** Whether the session has it now; no other one may have the same. */
    boolean take(DSLContext dsl) {
        return call(dsl, "pg_try_advisory_lock");
    }

    void giveBack(DSLContext dsl) {
        call(dsl, "pg_advisory_unlock");
    }

    private boolean call(DSLContext dsl, String function) {
        return dsl.select(function(name(function), SQLDataType.BOOLEAN, groupKey(), val(member)))
                .fetchSingle()
                .value1();
    }

    /**
     * All members of the group, in an order on which they agree; this one only if it is this session that has the lock.
     */
    List<Integer> members(DSLContext dsl) {
        Field<Integer> id = column("objid");
        return dsl.select(id)
                .from(LOCKS)
                .where(field(name("locktype"), SQLDataType.VARCHAR).eq(inline("advisory")))
                .and(column("database")
                        .eq(select(column("oid"))
                                .from(DATABASES)
                                .where(field(name("datname"), SQLDataType.VARCHAR)
                                        .eq(currentCatalog()))))
                .and(column("classid").eq(groupKey()))
                .and(column("objsubid").eq(inline(TWO_KEYS)))
                .and(field(name("granted"), SQLDataType.BOOLEAN))
                .and(id.ne(val(member)).or(column("pid").eq(function(name("pg_backend_pid"), SQLDataType.INTEGER))))
                .orderBy(id)
                .fetch(id);
    }

    private Field<Integer> groupKey() {
        return function(name("hashtext"), SQLDataType.INTEGER, val(group.lockName()));
    }

    private static Field<Integer> column(String column) {
        return field(name(column), SQLDataType.INTEGER);
    }
}
