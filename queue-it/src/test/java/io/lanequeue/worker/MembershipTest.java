package io.lanequeue.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.outbox.LogicalShards;
import io.lanequeue.schema.LanequeueSchema;
import io.lanequeue.testing.Await;
import io.lanequeue.testing.ConnectingDataSource;
import io.lanequeue.testing.PooledConnections;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.Relay;
import io.lanequeue.testing.Session;
import io.lanequeue.testing.Wiring;
import io.lanequeue.worker.Witness.Happening;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Who is a member of a group, and which shards fall to whom. */
@ParameterizedClass(name = "{0}")
@EnumSource(Wiring.class)
class MembershipTest {

    private static final Duration OFTEN = Duration.ofMillis(20);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(500);
    private static final int ALL = 256;
    private static final String ADVISORY =
            "locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())";
    private static final Runnable NOBODY = () -> {};

    private final QueueDatabase db;
    private final Session session;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    MembershipTest(Wiring wiring) {
        db = QueueDatabase.create(wiring);
        session = db.open();
    }

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable opened : open) {
            opened.close();
        }
        db.closeSessions();
    }

    @Test
    void membersSplitAllShardsAndDoItAgainWhenOneComesOrGoes() {
        Member first = join(group("group"));
        first.witness.awaitShards(ALL);
        Member second = join(group("group"));
        awaitSplit(first, second);

        Member third = join(group("group"));
        awaitSplit(first, second, third);

        second.membership.close();
        awaitSplit(first, third);
    }

    @Test
    void theOthersTakeOverFromAMemberWhoseSessionIsTerminatedAndItComesBack() {
        var refused = new AtomicBoolean();
        Member member = join(new ShardGroup(refusingWhile(refused), db.schema(), "group", OFTEN, LONG));
        member.witness.awaitShards(ALL);
        int terminated = holders().get(0);
        Member other = join(group("group"));
        awaitSplit(other, member);

        refused.set(true);
        session.dsl().fetch("select pg_terminate_backend(?)", terminated);
        other.witness.awaitShards(ALL);
        member.witness.awaitShards(ALL);

        refused.set(false);
        awaitSplit(other, member);
    }

    @Test
    void aMemberComesBackAfterAnError() {
        var failing = new AtomicBoolean(true);
        DataSource way = new ConnectingDataSource(() -> {
            if (failing.getAndSet(false)) {
                throw new OutOfMemoryError("by the test");
            }
            return db.dataSource().getConnection();
        });
        Member member = join(new ShardGroup(way, db.schema(), "group", OFTEN, LONG));

        awaitSplit(member, join(group("group")));
    }

    @Test
    void theOthersTakeOverFromAWorkerThatClaimsNoMore() {
        var claims = new AtomicBoolean(true);
        Member first = join(group("group"));
        Member second = member(group("group"));
        second.membership.start(claims::get, NOBODY);
        awaitSplit(first, second);

        claims.set(false);

        first.witness.awaitShards(ALL);
        assertThat(locks()).isEqualTo(1);
    }

    @Test
    void itsWorkerIsWokenForTheShareThatItGot() throws InterruptedException {
        var woken = new Semaphore(0);
        Member first = member(group("group"));
        first.membership.start(() -> true, woken::release);
        awaitPermit(woken);

        Member second = join(group("group"));
        awaitPermit(woken);
        second.membership.close();

        awaitPermit(woken);
        first.witness.awaitShards(ALL);
    }

    @Test
    void groupsAndSchemasDoNotMix() {
        QueueDatabase elsewhere = QueueDatabase.create(Wiring.STANDARD);
        Session there = elsewhere.open();
        open.push(elsewhere::closeSessions);
        lock(there, new ShardGroup(elsewhere.dataSource(), db.schema(), "group", OFTEN, LONG), 1);

        Member member = join(group("group"));
        member.witness.awaitShards(ALL);
        join(group("another group")).witness.awaitShards(ALL);
        join(group(LanequeueSchema.named("another schema"), "group")).witness.awaitShards(ALL);

        lock(session, group("group"), 1);

        // The first one of its own kind, whatever there is besides.
        member.witness.awaitShards(128);
        assertThat(member.witness.count(Happening.SHARED)).isEqualTo(2);
    }

    @Test
    void otherLocksOfTheApplicationAreNoMembers() {
        session.dsl().fetch("select pg_advisory_lock(1), pg_advisory_lock(1, 2)");
        ShardGroup group = group("group");
        session.dsl().fetch("select pg_advisory_lock(hashtext(?)::bigint << 32)", group.lockName());
        Session waiting = db.open();
        lock(session, group, 1);
        var call = waiting.start(dsl -> dsl.fetch("select pg_advisory_lock(hashtext(?), 1)", group.lockName()));
        call.awaitWaiting();

        Member member = join(group);

        member.witness.awaitShards(128);
        assertThat(member.witness.count(Happening.SHARED)).isEqualTo(1);
        session.close();
        call.get();
    }

    @Test
    void moreMembersThanShardsHaveAShareEach() {
        ShardGroup group = group("group");
        for (int i = 1; i <= 300; i++) {
            lock(session, group, i);
        }

        join(group).witness.awaitShards(1);
    }

    @Test
    void aMemberWhoseConnectionIsHalfOpenWorksOnAllShardsAndJoinsAgain() throws Exception {
        Relay relay = Relay.before(db.dataSource());
        open.push(relay);
        lock(session, group("group"), 1);
        Member member = join(new ShardGroup(relay.dataSource(), db.schema(), "group", OFTEN, SHORT));
        member.witness.awaitShards(128);

        relay.nextPassage().goDeaf();

        member.witness.await(Happening.SHARED, 2);
        relay.nextPassage();
        // The server does not know that the first session is gone.
        member.witness.await(Happening.SHARED, 3);
        assertThat(member.membership.share().areAll()).isFalse();
    }

    @Test
    void whoCannotBeAMemberWorksOnAllShardsAndSaysSoOnce() throws InterruptedException {
        var refused = new AtomicBoolean(true);
        var tries = new Semaphore(0);
        DataSource refusing = refusingWhile(refused);
        DataSource way = new ConnectingDataSource(() -> {
            tries.release();
            return refusing.getConnection();
        });
        lock(session, group("group"), 1);
        PrintStream before = System.err;
        var log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        Member member;
        try {
            member = join(new ShardGroup(way, db.schema(), "group", OFTEN, LONG));
            assertThat(tries.tryAcquire(4, 30, TimeUnit.SECONDS))
                    .as("tried often")
                    .isTrue();
        } finally {
            System.setErr(before);
        }

        assertThat(log.toString(StandardCharsets.UTF_8)).containsOnlyOnce("it works on all shards");
        assertThat(member.witness.count(Happening.SHARED)).isEqualTo(1);
        assertThat(member.membership.share().areAll()).isTrue();
        refused.set(false);
        member.witness.awaitShards(128);
    }

    /** The pool keeps the session, and gives it to somebody else. */
    @Test
    void aConnectionGoesBackToItsPoolWithoutTheLockAndWithItsOwnSettings() throws Exception {
        Connection connection = db.open().connection();
        connection.setAutoCommit(false);
        connection.setNetworkTimeout(Runnable::run, 12_345);
        Member member = join(new ShardGroup(PooledConnections.ofOne(connection), db.schema(), "group", OFTEN, LONG));
        member.witness.awaitShards(ALL);
        assertThat(locks()).isEqualTo(1);

        member.membership.close();

        awaitNoLocks();
        member.awaitEnd();
        assertThat(connection.isValid(30)).isTrue();
        assertThat(connection.getAutoCommit()).isFalse();
        assertThat(connection.getNetworkTimeout()).isEqualTo(12_345);
    }

    /** As behind a pool in transaction mode; each try would leave another lock behind. */
    @Test
    void aMemberWhoseSessionHasNotItsLockWorksOnAllShardsForGood() throws Exception {
        var tries = new Semaphore(0);
        Connection connection = db.open().connection();
        DataSource pool = PooledConnections.ofOne(connection);
        lock(session, group("group"), 1);
        Member member = join(new ShardGroup(
                new ConnectingDataSource(() -> {
                    tries.release();
                    return pool.getConnection();
                }),
                db.schema(),
                "group",
                OFTEN,
                LONG));
        member.witness.awaitShards(128);
        int number = session.dsl()
                .fetchSingle("select objid from pg_locks where objid <> 1 and " + ADVISORY)
                .get(0, Integer.class);
        var other = db.open()
                .start(dsl -> dsl.fetch(
                        "select pg_advisory_lock(hashtext(?), ?)",
                        group("group").lockName(),
                        number));
        other.awaitWaiting();

        try (var statement = connection.createStatement()) {
            statement.execute("select pg_advisory_unlock_all()");
        }

        member.witness.awaitShards(ALL);
        member.awaitEnd();
        other.get();
        assertThat(tries.availablePermits()).isEqualTo(1);
    }

    private ShardGroup group(String name) {
        return group(db.schema(), name);
    }

    private ShardGroup group(LanequeueSchema schema, String name) {
        return new ShardGroup(db.dataSource(), schema, name, OFTEN, LONG);
    }

    private Member member(ShardGroup group) {
        var witness = new Witness();
        var membership = new Membership(group, "test " + open.size(), new Audience(witness));
        open.push(membership);
        return new Member(membership, witness, "lanequeue-member-test " + (open.size() - 1));
    }

    private Member join(ShardGroup group) {
        Member member = member(group);
        member.membership.start(() -> true, NOBODY);
        return member;
    }

    /** A member that stands still. */
    private static void lock(Session session, ShardGroup group, int number) {
        assertThat(new MemberLock(group, number).take(session.dsl())).isTrue();
    }

    /** Returns when their shares are all shards, each once; then they are of equal size, but for what is left over. */
    private static void awaitSplit(Member... members) {
        Await.until(
                "the shards are split",
                () -> shards(members).equals(LogicalShards.all().numbers()));
        assertThat(members)
                .allSatisfy(
                        member -> assertThat(member.membership.share().numbers().size())
                                .isBetween(ALL / members.length, ALL / members.length + 1));
    }

    private static List<Integer> shards(Member... members) {
        return Stream.of(members)
                .flatMap(member -> member.membership.share().numbers().stream())
                .sorted()
                .toList();
    }

    private int locks() {
        return holders().size();
    }

    /** The server's processes of the sessions that hold such locks. */
    private List<Integer> holders() {
        return session.dsl().fetch("select pid from pg_locks where " + ADVISORY).getValues(0, Integer.class);
    }

    private void awaitNoLocks() {
        Await.until("the lock is given back", () -> locks() == 0);
    }

    private static void awaitPermit(Semaphore permits) throws InterruptedException {
        assertThat(permits.tryAcquire(30, TimeUnit.SECONDS)).as("woken").isTrue();
    }

    private DataSource refusingWhile(AtomicBoolean refused) {
        return new ConnectingDataSource(() -> {
            if (refused.get()) {
                throw new SQLException("by the test: refused", "08001");
            }
            return db.dataSource().getConnection();
        });
    }

    private record Member(Membership membership, Witness witness, String thread) {

        void awaitEnd() throws InterruptedException {
            for (Thread running : Thread.getAllStackTraces().keySet()) {
                if (running.getName().equals(thread)) {
                    running.join(LONG.toMillis());
                    assertThat(running.isAlive()).isFalse();
                }
            }
        }
    }
}
