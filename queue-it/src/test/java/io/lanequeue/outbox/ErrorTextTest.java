package io.lanequeue.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.schema.EventId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever a failure says, it can be recorded. */
class ErrorTextTest extends OutboxFixture {

    private static final int MEGABYTE = 1024 * 1024;

    @Test
    void aMegabyteWithNulsIsCleanedAndCut() {
        String stored = stored("x\0".repeat(MEGABYTE / 2));

        assertThat(stored)
                .startsWith("x\uFFFDx\uFFFD")
                .endsWith("… (cut from 1048576 characters)")
                .hasSizeBetween(8_192, 8_300);
    }

    @Test
    void aTextOfTheGreatestLengthIsKeptWhole() {
        String text = "é".repeat(8_192);

        assertThat(stored(text)).isEqualTo(text);
    }

    @Test
    void halfOfASurrogatePairIsReplaced() {
        assertThat(stored("a\uD83Db\uDE00c\uD83D\uDE00")).isEqualTo("a\uFFFDb\uFFFDc\uD83D\uDE00");
    }

    @Test
    void noPairIsCutInTwo() {
        assertThat(stored("x" + "\uD83D\uDE00".repeat(MEGABYTE)))
                .contains("\uD83D\uDE00… (cut from 2097153 characters)")
                .doesNotContain("\uFFFD");
    }

    @Test
    void anEmptyTextIsKept() {
        assertThat(stored("")).isEmpty();
    }

    @Test
    void aRetryKeepsItsTextTheSameWay() {
        EventId event = append(dsl, 1, 1);
        LeasedLane leased = claimOne(dsl, 1);

        consumer.finish(dsl, List.of(LaneOutcome.retry(leased, event, Duration.ZERO, "a\0".repeat(MEGABYTE))));

        assertThat(claimOne(dsl, 1).lastError()).startsWith("a\uFFFDa").hasSizeLessThan(8_300);
    }

    /** The text as it stands after a block with it. */
    private String stored(String error) {
        EventId event = append(dsl, 1, 1);

        LaneReport report = consumer.finish(dsl, List.of(LaneOutcome.block(claimOne(dsl, 1), event, error)))
                .get(0);

        assertThat(report.status()).isEqualTo(LaneReport.Status.FINISHED);
        return head(1).orElseThrow().getLastError();
    }
}
