package io.lanequeue.effects;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.schema.EffectId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever a failure says, it can be recorded; and whatever the library accepts, the database stores. */
class EffectTextTest extends EffectFixture {

    private static final int MEGABYTE = 1024 * 1024;

    @Test
    void aMegabyteWithNulsIsCleanedAndCut() {
        assertThat(stored("x\0".repeat(MEGABYTE / 2)))
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
    void aRetryKeepsItsTextTheSameWay() {
        enqueue(dsl, "repo");
        ClaimedEffect claimed = dispatchOne(dsl);

        consumer.retry(dsl, List.of(new EffectRetry(claimed.claim(), Duration.ZERO, "a\0".repeat(MEGABYTE))));

        assertThat(dispatchOne(dsl).lastError()).startsWith("a\uFFFDa").hasSizeLessThan(8_300);
    }

    @Test
    void theLongestNamesAndKeysAreStoredAndFound() {
        String name = "\uD83D\uDE00".repeat(127) + "x";
        String key = "\uD83D\uDE00".repeat(250);
        NewEffect effect = NewEffect.of(name, "").withDedupeKey(key);

        Enqueued first = producer.enqueue(dsl, effect);

        assertThat(producer.enqueue(dsl, effect)).isEqualTo(new Enqueued(first.id(), Enqueued.Status.ALREADY_WAITING));
        ClaimedEffect claimed = consumer.claim(dsl, new RepoClaimRequest(repo(name), "ä".repeat(200), 1))
                .get(0);
        assertThat(claimed.repoId()).isEqualTo(repo(name));
        assertThat(claimed.payload()).isEmpty();
        assertThat(effect(first.id()).getDedupeKey()).isEqualTo(key);
    }

    @Test
    void namesThatDifferOnlyInCaseOrSpaceAreDifferentRepositories() {
        List<String> names =
                List.of("repo", "Repo", "repo ", " repo", "répo", "re'po", "re\"po", "re\\po", "{repo}", "null");
        for (String name : names) {
            enqueue(dsl, name);
        }

        assertThat(dispatch(dsl, 100, 1))
                .extracting(effect -> effect.repoId().value())
                .isEqualTo(names);
        assertThat(new EffectAudit().disagreements(dsl, 10)).isEmpty();
    }

    @Test
    void aPayloadIsKeptAsItIs() {
        String payload = "{\"a\": \"\\u0000\"} \t\r\n\u0001 ü€\uD83D\uDE00 {,}\\ 'x' ".repeat(20_000);
        producer.enqueue(dsl, NewEffect.of("repo", payload));

        assertThat(dispatchOne(dsl).payload()).isEqualTo(payload);
    }

    /** The text as it stands after a failure with it. */
    private String stored(String error) {
        EffectId id = enqueue(dsl, "repo");

        EffectReport report = consumer.fail(
                        dsl, List.of(new EffectFailure(dispatchOne(dsl).claim(), error)))
                .get(0);

        assertThat(report.status()).isEqualTo(EffectReport.Status.APPLIED);
        return effect(id).getLastError();
    }
}
