package io.lanequeue;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.effects.ClaimedEffect;
import io.lanequeue.effects.DispatchRequest;
import io.lanequeue.effects.EffectConsumer;
import io.lanequeue.outbox.ClaimRequest;
import io.lanequeue.outbox.Event;
import io.lanequeue.outbox.OutboxConsumer;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Wiring;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The statements of docs/migrating.md move every job, in order. */
class MigratingTest {

    private static final Pattern STATEMENT = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL);

    private final QueueDatabase db = QueueDatabase.create(Wiring.STANDARD);
    private final DSLContext dsl = db.open().dsl();

    @Test
    void jobsOfAUserBecomeALaneInTheirOrder() throws IOException {
        dsl.execute("create table jobs (id bigint primary key, user_id bigint, kind text, body jsonb)");
        dsl.execute(
                "insert into jobs values (30, 7, 'c', '3'), (10, 7, 'a', '1'), (20, 7, 'b', '2'), (15, 8, 'd', '4')");

        dsl.execute(statement(0));

        assertThat(new OutboxConsumer()
                        .claim(dsl, ClaimRequest.by("worker").withEventsPerLane(10))
                        .events())
                .extracting(Event::eventType)
                .containsExactly("a", "b", "c", "d");
        assertThat(dsl.fetchCount(dsl.selectFrom("jobs"))).isZero();
        db.closeSessions();
    }

    @Test
    void jobsOfATenantBecomeEffects() throws IOException {
        dsl.execute("create table jobs (id bigint primary key, tenant text, body jsonb)");
        dsl.execute("insert into jobs values (2, 'a', '{\"n\": 2}'), (1, 'b', '{\"n\": 1}')");

        dsl.execute(statement(1));

        assertThat(new EffectConsumer().dispatch(dsl, DispatchRequest.by("worker")))
                .extracting(ClaimedEffect::payload)
                .containsExactly("{\"n\": 1}", "{\"n\": 2}");
        assertThat(dsl.fetchCount(dsl.selectFrom("jobs"))).isZero();
        db.closeSessions();
    }

    /** The page's tables are found where the application's are. */
    @BeforeEach
    void setSearchPath() {
        dsl.execute("set search_path to public");
    }

    private static String statement(int number) throws IOException {
        String page = Files.readString(Path.of("..", "docs", "migrating.md"));
        List<String> statements =
                STATEMENT.matcher(page).results().map(found -> found.group(1)).toList();
        return statements.get(number);
    }
}
