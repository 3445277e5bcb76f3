package io.lanequeue.effects;

import io.lanequeue.testing.CallerTransactionContract;
import java.util.stream.Stream;

class EffectCallerTransactionTest extends CallerTransactionContract {

    static Stream<EffectOperation> calls() {
        return Stream.of(EffectOperation.values());
    }
}
