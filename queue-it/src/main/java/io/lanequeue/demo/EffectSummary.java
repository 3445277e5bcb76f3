package io.lanequeue.demo;

import static io.lanequeue.command.Printout.number;
import static io.lanequeue.demo.EffectLoad.MONOREPO;
import static io.lanequeue.demo.EffectTables.ATTEMPT;
import static io.lanequeue.demo.EffectTables.ATTEMPTS;
import static io.lanequeue.demo.EffectTables.ATTEMPT_EFFECT;
import static io.lanequeue.demo.EffectTables.ATTEMPT_HANDLED;
import static io.lanequeue.demo.EffectTables.ATTEMPT_REPO;
import static io.lanequeue.demo.EffectTables.ATTEMPT_WAITED_MS;
import static io.lanequeue.demo.EffectTables.EFFECTS;
import static io.lanequeue.demo.EffectTables.EFFECT_REPO;
import static io.lanequeue.demo.EffectTables.PEAK;
import static io.lanequeue.demo.EffectTables.PEAKS;
import static io.lanequeue.demo.EffectTables.PEAK_REPO;
import static java.util.stream.Collectors.joining;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.countDistinct;
import static org.jooq.impl.DSL.max;
import static org.jooq.impl.DSL.percentileDisc;

import io.lanequeue.command.Pace;
import io.lanequeue.command.Printout;
import java.io.PrintWriter;
import java.util.Locale;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** Prints how the second part ended. */
final class EffectSummary {

    private final DSLContext dsl;
    private final Printout out;

    EffectSummary(DSLContext dsl, PrintWriter out) {
        this.dsl = dsl;
        this.out = new Printout(out);
    }

    void print(Pace completed, EffectTally tally, int cap, EffectCheck check) {
        out.line("");
        out.line("Summary");
        out.row("effects", effects());
        out.row("completed", completed.of("effects"));
        out.row("waiting time", "from enqueue to first claim, by the database's clock");
        out.row("  small", waitingTimes(ATTEMPT_REPO.ne(MONOREPO)));
        out.row("  " + MONOREPO, waitingTimes(ATTEMPT_REPO.eq(MONOREPO)));
        out.row("in flight", "at most: " + peaks() + "; the cap is " + number(cap));
        out.row("redeliveries", number(redeliveries()) + " effects were done again");
        out.row(
                "claims lost",
                number(tally.claimsLeftBehind().get()) + " left by the dispatcher that died, "
                        + number(tally.requeued().get()) + " requeued, "
                        + number(tally.claimsLost().get()) + " of which a living dispatcher was told");
        out.row("retries", number(tally.retried().get()) + " attempts failed and were repeated after a backoff");
        out.line("");
        out.line("Check");
        out.verdict(check.unhandled() == 0, "every effect was done at least once", check.unhandled() + " were not");
        out.verdict(check.incomplete() == 0, "every effect is completed", check.incomplete() + " are not");
        out.verdict(check.unknown() == 0, "nothing else was claimed", check.unknown() + " attempts");
        out.verdict(check.left() == 0, "nothing waits or is claimed", check.left() + " effects are left");
        out.verdict(
                check.overCap().isEmpty(),
                "no repository ever had more in flight than the cap",
                check.overCap().toString());
        out.verdict(
                check.unwatched() == 0,
                "the database recorded the number in flight of every repository",
                check.unwatched() + " are missing");
        out.verdict(
                check.disagreements().isEmpty(),
                "the audit finds no head missing and no number in flight wrong",
                check.disagreements().toString());
        out.conclusion(check.holds());
    }

    private String effects() {
        return dsl.select(count(), count().filterWhere(EFFECT_REPO.eq(MONOREPO)), countDistinct(EFFECT_REPO))
                .from(EFFECTS)
                .fetchSingle(found -> number(found.value1()) + " of " + number(found.value3()) + " repositories, "
                        + number(found.value2()) + " of them of " + MONOREPO);
    }

    private String waitingTimes(Condition repositories) {
        return dsl.select(
                        percentileDisc(0.5).withinGroupOrderBy(ATTEMPT_WAITED_MS),
                        percentileDisc(0.99).withinGroupOrderBy(ATTEMPT_WAITED_MS),
                        max(ATTEMPT_WAITED_MS))
                .from(ATTEMPTS)
                .where(repositories)
                .and(ATTEMPT.eq(1))
                .fetchSingle(found -> String.format(
                        Locale.ROOT,
                        "median %s, 99 %% within %s, longest %s",
                        seconds(found.value1()),
                        seconds(found.value2()),
                        seconds(found.value3())));
    }

    private static String seconds(@Nullable Number millis) {
        return millis == null ? "-" : String.format(Locale.ROOT, "%,.3f s", millis.doubleValue() / 1000);
    }

    private String peaks() {
        String monorepo = dsl.select(PEAK)
                .from(PEAKS)
                .where(PEAK_REPO.eq(MONOREPO))
                .fetchOptional(PEAK)
                .map(peak -> MONOREPO + " " + peak + "; ")
                .orElse("");
        return dsl
                .select(PEAK, count())
                .from(PEAKS)
                .where(PEAK_REPO.ne(MONOREPO))
                .groupBy(PEAK)
                .orderBy(PEAK.desc())
                .stream()
                .map(group -> group.value1() + " in " + number(group.value2()))
                .collect(joining(", ", monorepo + "small repositories ", ""));
    }

    private int redeliveries() {
        return dsl.select(count().minus(countDistinct(ATTEMPT_EFFECT)))
                .from(ATTEMPTS)
                .where(condition(ATTEMPT_HANDLED))
                .fetchSingle()
                .value1();
    }
}
