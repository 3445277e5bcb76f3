package io.lanequeue.soak;

import io.lanequeue.command.Crew;
import java.util.Random;

/** Who works on what the producers bring: the workers of both queues, the operator and the upkeep. */
final class Staff {

    private static final int WORKERS = 3;

    private final Orders laneOrders = new Orders();
    private final Orders effectOrders = new Orders();

    private Staff() {}

    /** Starts all of them. They work until the crew stops. */
    static Staff start(SoakDatabase database, Books books, Crew crew, Random seeds) {
        var staff = new Staff();
        for (int i = 0; i < WORKERS; i++) {
            var random = new Random(seeds.nextLong());
            var habits = new WorkerHabits("lane worker " + i, staff.laneOrders, random, crew.stop());
            var worker = new LaneWorker(database.client(), books, habits, random);
            crew.start(worker::work);
        }
        for (int i = 0; i < WORKERS; i++) {
            var random = new Random(seeds.nextLong());
            var habits = new WorkerHabits("effect worker " + i, staff.effectOrders, random, crew.stop());
            var worker = new EffectWorker(database.client(), books, habits, random, Plan.CAP);
            crew.start(worker::work);
        }
        Client operatorClient = database.client();
        var operator = new Operator(
                operatorClient,
                new Witness(operatorClient, "operator", books.happenings()),
                books,
                new Random(seeds.nextLong()),
                crew.stop());
        crew.start(operator::work);
        Client upkeepClient = database.client();
        var upkeep =
                new Upkeep(upkeepClient, new Witness(upkeepClient, "upkeep", books.happenings()), books, crew.stop());
        crew.start(upkeep::work);
        return staff;
    }

    /** What the workers of lanes are told. */
    Orders laneOrders() {
        return laneOrders;
    }

    /** What the workers of effects are told. */
    Orders effectOrders() {
        return effectOrders;
    }
}
