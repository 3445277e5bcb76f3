package io.lanequeue.effects;

import io.lanequeue.testing.SqlContract;
import java.util.stream.Stream;

/** What each call sends, kept as SQL. */
class EffectSqlTest extends SqlContract {

    static Stream<EffectOperation> calls() {
        return Stream.of(EffectOperation.values());
    }
}
