package io.lanequeue.soak;

import io.lanequeue.effects.EffectAudit;
import io.lanequeue.outbox.OutboxAudit;
import java.util.Random;
import org.jooq.DSLContext;

/** The faults, one of each kind at a time. For one thread. */
final class Faults {

    private final OutboxAudit outbox = new OutboxAudit();
    private final EffectAudit effects = new EffectAudit();
    private final SoakDatabase database;
    private final Client client;
    private final ConnectionFaults connections;
    private final PlainDelete plainDelete;
    private final HeldSnapshot snapshot;
    private final Invariants invariants;
    private final Staff staff;

    Faults(SoakDatabase database, Books books, HeldSnapshot snapshot, Staff staff, Random random) {
        this.database = database;
        this.client = database.client();
        this.connections = new ConnectionFaults(database, client, random);
        this.plainDelete = new PlainDelete(new Witness(client, "faults", books.happenings()), books);
        this.snapshot = snapshot;
        this.invariants = new Invariants(Plan.CAP, books.losses()::add);
        this.staff = staff;
    }

    /** Lets one happen, if there is anything that it can happen to at the moment; returns whether it did. */
    boolean happen(FaultKind kind) throws InterruptedException {
        return switch (kind) {
            case BACKEND_TERMINATED -> connections.terminateBackend();
            case CONNECTION_BROKEN_OFF -> connections.breakOff();
            case LANE_WORKER_DIED -> staff.laneOrders().give(Order.DIE);
            case LANE_WORKER_PAUSED -> staff.laneOrders().give(Order.PAUSE);
            case EFFECT_WORKER_DIED -> staff.effectOrders().give(Order.DIE);
            case EFFECT_WORKER_PAUSED -> staff.effectOrders().give(Order.PAUSE);
            case SNAPSHOT_HELD -> snapshot.take();
            case EVENTS_DELETED -> plainDelete.ofEvents();
            case EFFECTS_DELETED -> plainDelete.ofEffects();
            case HEADS_REPAIRED -> client.call(this::repair).isPresent();
            case SERVER_KILLED -> {
                database.killAndRestart();
                yield true;
            }
        };
    }

    /** Looks first: a repair would hide a head that is missing. */
    private long repair(DSLContext dsl) {
        invariants.check(dsl);
        return outbox.repair(dsl).repairedLanes() + effects.repair(dsl).repairedRepos();
    }
}
