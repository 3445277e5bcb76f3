package io.lanequeue.testing;

import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The queues in each wiring, and a session on them. */
@ParameterizedClass(name = "{0}")
@EnumSource(Wiring.class)
public abstract class QueueFixture {

    @Parameter
    protected Wiring wiring;

    protected QueueDatabase db;

    /** The test's own connection, in autocommit. */
    protected DSLContext dsl;

    @BeforeEach
    void openSession() {
        db = QueueDatabase.of(wiring);
        dsl = db.open().dsl();
    }

    @AfterEach
    void resetDatabase() {
        db.reset();
    }
}
