package io.lanequeue.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShrinkerTest {

    @Test
    void leavesWhatIsNeededInItsOrder() {
        List<Integer> failing = IntStream.range(0, 60).boxed().toList();
        List<Integer> needed = List.of(7, 8, 41);

        assertThat(Shrinker.shrink(failing, candidate -> candidate.containsAll(needed)))
                .isEqualTo(needed);
    }

    @Test
    void leavesNothingOutThatHidesTheFailure() {
        List<Integer> failing = List.of(1, 2, 3, 4, 5);

        assertThat(Shrinker.shrink(failing, candidate -> candidate.size() >= 4)).hasSize(4);
    }
}
