package io.lanequeue.soak;

import java.util.List;
import java.util.Random;
import org.jooq.DSLContext;

/** Connections that end while they are used: by the server, or by the client. */
final class ConnectionFaults {

    private final SoakDatabase database;
    private final Client client;
    private final Random random;

    /** @param client not one of those that end */
    ConnectionFaults(SoakDatabase database, Client client, Random random) {
        this.database = database;
        this.client = client;
        this.random = random;
    }

    /** The server ends one of the soak's connections, whatever it is used for. */
    boolean terminateBackend() {
        return client.call(this::terminateOne).orElse(false);
    }

    private boolean terminateOne(DSLContext dsl) {
        List<Integer> pids = dsl.fetch(
                        "select pid from pg_stat_activity where application_name = ? and pid <> pg_backend_pid()",
                        SoakDatabase.APPLICATION)
                .getValues(0, Integer.class);
        return !pids.isEmpty()
                && dsl.fetchSingle("select pg_terminate_backend(?)", pids.get(random.nextInt(pids.size())))
                        .get(0, Boolean.class);
    }

    /** A client breaks its connection off, in the middle of what it does. */
    boolean breakOff() {
        List<Client> clients = database.clients();
        return clients.get(random.nextInt(clients.size())).breakOff();
    }
}
