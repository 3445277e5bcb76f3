package io.lanequeue.worker;

import io.lanequeue.outbox.LogicalShards;
import io.lanequeue.schema.TargetUserId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker's place among those of its group, on a thread and a connection of its own: it holds the lock of a member,
 * looks now and then who else does, and takes the share that falls to it. As long as it cannot it takes all shards.
 *
 * <p>Shares divide the work and guard nothing. Members that see different groups for a while overlap, which leases
 * bear, or leave a gap, which {@link SharedLanes} closes.
 *
 * <p><b>Thread safety.</b> The share is read by the worker's thread and written by the member's.
 */
final class Membership implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);

    private final ShardGroup group;
    private final String worker;
    private final Audience audience;
    private final Companion companion = new Companion();
    private volatile LogicalShards share = LogicalShards.all();
    private @Nullable LogicalShards told; // for the member's thread

    Membership(ShardGroup group, String worker, Audience audience) {
        this.group = group;
        this.worker = worker;
        this.audience = audience;
    }

    /** The shards that are this worker's for now. */
    LogicalShards share() {
        return share;
    }

    /**
     * @param claims whether the worker still claims; when it does not, its shards go to the others
     * @param wake lets it look in the share that it got
     */
    void start(BooleanSupplier claims, Runnable wake) {
        companion.start("lanequeue-member-" + worker, () -> takePart(claims, wake), e -> {
            LOG.warn(
                    "Worker {}: no member of the group {} for now; it works on all shards, and tries again",
                    worker,
                    group.name(),
                    e);
            own(LogicalShards.all(), wake);
        });
    }

    /** Returns when the worker does not want to be a member any more, or cannot be one. */
    private void takePart(BooleanSupplier claims, Runnable wake) throws SQLException {
        if (!claims.getAsBoolean()) {
            close();
            return;
        }
        try (Connection connection = group.dataSource().getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            int networkTimeout = connection.getNetworkTimeout();
            connection.setAutoCommit(true);
            connection.setNetworkTimeout(Runnable::run, (int) group.patience().toMillis());
            DSLContext dsl = DSL.using(connection, SQLDialect.POSTGRES);
            // Another one each time: the server may not know yet that the session of the last one is gone.
            var lock = new MemberLock(group, ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE));
            try {
                if (!lock.take(dsl)) {
                    throw new IllegalStateException("Another member has the same number, by chance");
                }
                while (!companion.isClosed() && claims.getAsBoolean()) {
                    look(lock, dsl, wake);
                    companion.pause(group.lookEvery());
                }
            } finally {
                if (leaves(lock, dsl, connection)) {
                    connection.setNetworkTimeout(Runnable::run, networkTimeout);
                    connection.setAutoCommit(autoCommit);
                }
            }
        }
    }

    private void look(MemberLock lock, DSLContext dsl, Runnable wake) {
        List<Integer> members = lock.members(dsl);
        int place = members.indexOf(lock.member());
        if (place < 0) {
            // To try again would leave one more lock behind each time, with nobody to give it back.
            LOG.warn(
                    "Worker {}: its statements come to several sessions, as behind a pool in transaction mode, so it"
                            + " cannot be a member of the group {}; it works on all shards",
                    worker,
                    group.name());
            own(LogicalShards.all(), wake);
            close();
            return;
        }
        if (companion.succeeds()) {
            LOG.info("Worker {}: a member of the group {} again", worker, group.name());
        }
        own(shareOf(place, members.size()), wake);
    }

    /** Where there are more members than shards some of them have the same one. */
    private static LogicalShards shareOf(int place, int members) {
        int shares = Math.min(members, TargetUserId.LOGICAL_SHARDS);
        return LogicalShards.share(place % shares, shares);
    }

    private void own(LogicalShards shards, Runnable wake) {
        if (told == null || !told.equals(shards)) {
            told = shards;
            share = shards;
            LOG.debug("Worker {}: it has {}", worker, shards);
            audience.tell(events -> events.ownsShards(shards.numbers().size()));
            wake.run();
        }
    }

    /**
     * A pool hands the connection to somebody else, who must not be taken for a member. Where the lock cannot be given
     * back the session is ended; to give back one that was not taken does nothing.
     */
    private boolean leaves(MemberLock lock, DSLContext dsl, Connection connection) throws SQLException {
        try {
            lock.giveBack(dsl);
            return true;
        } catch (RuntimeException | Error e) {
            LOG.debug("Worker {}: the lock of a member was not given back; its session is ended", worker, e);
            connection.abort(Runnable::run);
            return false;
        }
    }

    /** From any thread: the member leaves its group, soon. */
    @Override
    public void close() {
        companion.close();
    }
}
