package io.lanequeue.schema;

import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jooq.Binding;
import org.jooq.BindingGetResultSetContext;
import org.jooq.BindingGetSQLInputContext;
import org.jooq.BindingGetStatementContext;
import org.jooq.BindingRegisterContext;
import org.jooq.BindingSQLContext;
import org.jooq.BindingSetSQLOutputContext;
import org.jooq.BindingSetStatementContext;
import org.jooq.Converter;
import org.jooq.QueryPart;
import org.jooq.conf.ParamType;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes {@code timestamptz} as {@link Instant}, with {@code infinity} as {@link Instant#MAX} and
 * {@code -infinity} as {@link Instant#MIN}. jOOQ's own bindings cannot read {@code infinity}, which is when a blocked
 * lane is available.
 */
public final class InstantBinding implements Binding<OffsetDateTime, Instant> {

    private static final long serialVersionUID = 1L;

    private static final Converter<OffsetDateTime, Instant> CONVERTER = Converter.ofNullable(
            OffsetDateTime.class, Instant.class, InstantBinding::instant, InstantBinding::offsetDateTime);

    /** The driver reads {@code infinity} as {@link OffsetDateTime#MAX} and writes it so. */
    private static Instant instant(OffsetDateTime moment) {
        if (moment.equals(OffsetDateTime.MAX)) {
            return Instant.MAX;
        }
        return moment.equals(OffsetDateTime.MIN) ? Instant.MIN : moment.toInstant();
    }

    private static OffsetDateTime offsetDateTime(Instant moment) {
        if (moment.equals(Instant.MAX)) {
            return OffsetDateTime.MAX;
        }
        return moment.equals(Instant.MIN) ? OffsetDateTime.MIN : moment.atOffset(ZoneOffset.UTC);
    }

    @Override
    public Converter<OffsetDateTime, Instant> converter() {
        return CONVERTER;
    }

    @Override
    public void sql(BindingSQLContext<Instant> ctx) {
        if (ctx.render().paramType() == ParamType.INLINED) {
            ctx.render().visit(literal(ctx.value()));
        } else {
            ctx.render().sql("cast(").sql(ctx.variable()).sql(" as timestamptz)");
        }
    }

    private static QueryPart literal(@Nullable Instant moment) {
        if (Instant.MAX.equals(moment)) {
            return DSL.raw("timestamptz 'infinity'");
        }
        if (Instant.MIN.equals(moment)) {
            return DSL.raw("timestamptz '-infinity'");
        }
        return DSL.inline(CONVERTER.to(moment), SQLDataType.TIMESTAMPWITHTIMEZONE);
    }

    @Override
    public void set(BindingSetStatementContext<Instant> ctx) throws SQLException {
        ctx.statement().setObject(ctx.index(), ctx.convert(CONVERTER).value(), Types.TIMESTAMP_WITH_TIMEZONE);
    }

    @Override
    public void get(BindingGetResultSetContext<Instant> ctx) throws SQLException {
        ctx.convert(CONVERTER).value(ctx.resultSet().getObject(ctx.index(), OffsetDateTime.class));
    }

    @Override
    public void register(BindingRegisterContext<Instant> ctx) throws SQLException {
        ctx.statement().registerOutParameter(ctx.index(), Types.TIMESTAMP_WITH_TIMEZONE);
    }

    @Override
    public void get(BindingGetStatementContext<Instant> ctx) throws SQLException {
        ctx.convert(CONVERTER).value(ctx.statement().getObject(ctx.index(), OffsetDateTime.class));
    }

    @Override
    public void set(BindingSetSQLOutputContext<Instant> ctx) throws SQLException {
        throw new SQLFeatureNotSupportedException("PostgreSQL has no SQLOutput");
    }

    @Override
    public void get(BindingGetSQLInputContext<Instant> ctx) throws SQLException {
        throw new SQLFeatureNotSupportedException("PostgreSQL has no SQLInput");
    }
}
