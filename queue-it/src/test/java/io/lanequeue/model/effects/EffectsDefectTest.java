package io.lanequeue.model.effects;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.model.Search;
import io.lanequeue.testing.QueueDatabase;
import io.lanequeue.testing.SchemaCode;
import io.lanequeue.testing.Wiring;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The test of the test: it notices each protection that is taken out of the schema, and says so in few steps. */
class EffectsDefectTest {

    private static final QueueDatabase DB = QueueDatabase.create(Wiring.STANDARD);
    private static final SchemaCode CODE = new SchemaCode(DB.open().dsl());
    private static final Search<EffectsModel> SEARCH = new Search<>(DB, new EffectsQueue());

    @AfterAll
    static void closeSessions() {
        DB.closeSessions();
    }

    @ParameterizedTest
    @EnumSource
    void aPlantedDefectIsFoundAndShownInAtMostTwelveSteps(EffectsDefect defect) {
        defect.plantIn(CODE);
        try {
            assertThat(SEARCH.run(defect.seed(), 200))
                    .hasValueSatisfying(finding ->
                            assertThat(finding.steps()).as(finding::toString).hasSizeLessThanOrEqualTo(12));
        } finally {
            CODE.restore();
        }
    }
}
