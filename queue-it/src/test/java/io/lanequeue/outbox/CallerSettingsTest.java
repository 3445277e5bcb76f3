package io.lanequeue.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.RenderKeywordCase;
import org.jooq.conf.Settings;
import org.jooq.conf.StatementType;
import org.jooq.impl.DSL;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Services have jOOQ settings of their own; the statements work under each of them. */
class CallerSettingsTest extends OutboxFixture {

    private enum Style {
        STATIC(settings -> settings.withStatementType(StatementType.STATIC_STATEMENT)),
        // With a locale, because jOOQ's upper-case keywords are not SQL in the Turkish one.
        FORMATTED(settings -> settings.withRenderFormatted(true)
                .withRenderKeywordCase(RenderKeywordCase.UPPER)
                .withRenderLocale(Locale.ROOT)),
        CHECKED(settings -> settings.withExecuteWithOptimisticLocking(true).withAttachRecords(false)),
        LIMITED(settings -> settings.withFetchSize(1).withQueryTimeout(60));

        private final UnaryOperator<Settings> change;

        Style(UnaryOperator<Settings> change) {
            this.change = change;
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyCallWorksUnderTheSettingsOfTheCaller(Style style) {
        for (Operation operation : Operation.values()) {
            var call = operation.prepare(dsl);
            assertThatCode(() -> call.apply(under(style))).as(operation.name()).doesNotThrowAnyException();
            db.reset();
            dsl = db.open().dsl();
        }
    }

    @ParameterizedTest
    @EnumSource
    void pagesOfBlockedLanesWorkUnderTheSettingsOfTheCaller(Style style) {
        for (int user = 1; user <= 3; user++) {
            var event = append(dsl, user, 1);
            consumer.finish(dsl, List.of(LaneOutcome.block(claimOne(dsl, 1), event, "poison 'quoted' \\ \u20AC")));
        }
        var operator = new OutboxOperator();
        LaneQuery query = LaneQuery.of(LaneState.BLOCKED).withLimit(2);

        List<LaneStatus> first = operator.lanes(under(style), query);
        List<LaneStatus> second = operator.lanes(under(style), query.after(first.get(1)));

        assertThat(second).extracting(LaneStatus::lane).containsExactly(lane(3));
        assertThat(second).extracting(LaneStatus::lastError).containsExactly("poison 'quoted' \\ \u20AC");
    }

    private DSLContext under(Style style) {
        return DSL.using(
                db.open().connection(),
                SQLDialect.POSTGRES,
                style.change.apply(db.schema().settings()));
    }
}
