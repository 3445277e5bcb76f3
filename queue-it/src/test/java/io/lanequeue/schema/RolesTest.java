package io.lanequeue.schema;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Named.named;

import io.lanequeue.StatementFailedException;
import io.lanequeue.effects.EffectOperation;
import io.lanequeue.outbox.Operation;
import io.lanequeue.schema.jooq.Tables;
import io.lanequeue.testing.QueueCall;
import io.lanequeue.testing.QueueContents;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Wiring;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The roles of docs/roles.md may do what the page says, and nothing else. */
class RolesTest {

    private static final String PERMISSION_DENIED = "42501";
    private static final Set<Operation> DEAD_LETTERS = EnumSet.of(
            Operation.DELETE_HEAD, Operation.DELETE_LANE, Operation.REDRIVE, Operation.PURGE, Operation.REPAIR);

    private static final QueueDatabase DATABASE = QueueDatabase.of(Wiring.OTHER_SCHEMA);

    private final DSLContext dsl = DATABASE.open().dsl();

    private enum Role {
        PRODUCER,
        READER,
        WORKER,
        OPERATOR;

        String inDatabase() {
            return "lanequeue_" + name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    @BeforeAll
    static void createRoles() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "roles.md"));
        String script = page.substring(page.indexOf("```sql\n") + "```sql\n".length(), page.lastIndexOf("```"));
        DATABASE.open()
                .dsl()
                .execute(script.replace("lanequeue.", "\"" + DATABASE.schema().name() + "\".")
                        .replace(
                                "SCHEMA lanequeue",
                                "SCHEMA \"" + DATABASE.schema().name() + "\""));
    }

    @AfterEach
    void resetDatabase() {
        DATABASE.reset();
    }

    @AfterAll
    static void dropRoles() {
        DSLContext dsl = DATABASE.open().dsl();
        for (Role role : Role.values()) {
            dsl.execute("drop owned by " + role.inDatabase());
            dsl.execute("drop role " + role.inDatabase());
        }
        DATABASE.closeSessions();
    }

    private static Stream<Named<QueueCall>> calls() {
        return Stream.concat(
                Stream.of(Operation.values()).map(call -> named("outbox " + call, call)),
                Stream.of(EffectOperation.values()).map(call -> named("effects " + call, call)));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void everyCallIsAllowedToItsRolesAndRefusedToOthers(QueueCall call) {
        Set<Role> allowed = Stream.of(Role.values())
                .filter(role -> mayCall(role, call))
                .collect(toCollection(() -> EnumSet.noneOf(Role.class)));

        assertThat(allowed).isEqualTo(rolesOf(call));
    }

    private boolean mayCall(Role role, QueueCall call) {
        DATABASE.empty(dsl);
        Function<DSLContext, Object> prepared = call.prepare(dsl);
        QueueContents before = QueueContents.of(dsl);
        try {
            prepared.apply(as(role));
            return true;
        } catch (StatementFailedException e) {
            assertThat(e.sqlState()).isEqualTo(PERMISSION_DENIED);
            assertThat(QueueContents.of(dsl)).isEqualTo(before);
            return false;
        }
    }

    private static DSLContext as(Role role) {
        DSLContext session = DATABASE.open().dsl();
        session.execute("set role " + role.inDatabase());
        return session;
    }

    private static Set<Role> rolesOf(QueueCall call) {
        if (call.isReadOnly()) {
            return EnumSet.of(Role.READER, Role.WORKER, Role.OPERATOR);
        }
        if (call == EffectOperation.ENQUEUE || call == EffectOperation.ENQUEUE_ALL) {
            return EnumSet.of(Role.PRODUCER);
        }
        if (call == Operation.APPEND || call == Operation.APPEND_ALL) {
            return EnumSet.of(Role.PRODUCER, Role.OPERATOR);
        }
        return call == EffectOperation.REPAIR || DEAD_LETTERS.contains(call)
                ? EnumSet.of(Role.OPERATOR)
                : EnumSet.of(Role.WORKER, Role.OPERATOR);
    }

    @Test
    void aProducerReadsNoPayloadAndNoHead() {
        DSLContext producer = as(Role.PRODUCER);

        assertThatIsDenied(() -> producer.select(Tables.DISPATCH_OUTBOX.PAYLOAD)
                .from(Tables.DISPATCH_OUTBOX)
                .fetch());
        assertThatIsDenied(() -> producer.select(Tables.EFFECT_QUEUE.PAYLOAD)
                .from(Tables.EFFECT_QUEUE)
                .fetch());
        assertThatIsDenied(
                () -> producer.selectFrom(Tables.DISPATCH_OUTBOX_USER_HEADS).fetch());
        assertThatIsDenied(
                () -> producer.selectFrom(Tables.EFFECT_QUEUE_REPO_HEADS).fetch());
    }

    @ParameterizedTest
    @EnumSource(Role.class)
    void nobodyWritesHistoryOrEmptiesTables(Role role) {
        DSLContext session = as(role);

        assertThatIsDenied(() -> session.truncate(Tables.DISPATCH_OUTBOX).execute());
        assertThatIsDenied(() -> session.truncate(Tables.EFFECT_QUEUE).execute());
        assertThatIsDenied(
                () -> session.deleteFrom(Tables.DISPATCH_OUTBOX_USER_HEADS).execute());
        assertThatIsDenied(
                () -> session.deleteFrom(Tables.EFFECT_QUEUE_REPO_HEADS).execute());
        assertThatIsDenied(() -> session.execute(
                "delete from {0}", org.jooq.impl.DSL.name(DATABASE.schema().name(), "lanequeue_schema_history")));
    }

    private static void assertThatIsDenied(Runnable statement) {
        assertThatThrownBy(statement::run)
                .isInstanceOfSatisfying(
                        DataAccessException.class, e -> assertThat(e.sqlState()).isEqualTo(PERMISSION_DENIED));
    }
}
