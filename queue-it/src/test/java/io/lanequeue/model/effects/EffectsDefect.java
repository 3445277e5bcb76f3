package io.lanequeue.model.effects;

import io.lanequeue.testing.SchemaCode;
import java.util.function.Consumer;

/** Variants of the schema that are wrong. */
enum EffectsDefect {
    /** It waits for an open enqueue, and decides by what it saw before. */
    HEAD_REMOVED_IN_ONE_STATEMENT(43, code -> {
        code.replace(Functions.LOCK_EMPTY, "FOR UPDATE OF x SKIP LOCKED", "FOR UPDATE OF x");
        code.replace("effect_queue_remove_heads", "u (repo) ORDER BY 1", "u (repo) WHERE false");
    }),
    HEAD_REMOVED_ABOVE_READ_COMMITTED(
            920,
            code -> code.replace(
                    Functions.LOCK_EMPTY, "'read uncommitted')", "'read uncommitted', 'repeatable read')")),
    ENQUEUE_WITHOUT_PIN(43, code -> code.replace("effect_queue_pin_heads", "FOR KEY SHARE", "")),
    CLAIM_NOT_COUNTED(
            1,
            code -> code.replace(
                    "effect_queue_update_repo_heads", "(n.state = 'claimed')::integer AS claimed", "0 AS claimed")),
    DELETED_CLAIM_STILL_COUNTED(
            1,
            code -> code.replace(
                    "effect_queue_delete_repo_heads", "-(count(*) FILTER (WHERE o.state = 'claimed'))::integer", "0")),
    FENCE_NOT_COMPARED(
            192, code -> code.replace(Functions.PUT_BACK, "AND x.claim_id IS NOT DISTINCT FROM k.claim", "")),
    ONE_ATTEMPT_TOO_MANY(
            25, code -> code.replace(Functions.PUT_BACK, "x.attempts >= max_attempts", "x.attempts > max_attempts")),
    DUE_EFFECT_LEFT(1, code -> code.replace("effect_queue_promote_due", "e.scheduled_at <= (SELECT now_at)", "false"));

    private final long seed;
    private final Consumer<SchemaCode> plant;

    EffectsDefect(long seed, Consumer<SchemaCode> plant) {
        this.seed = seed;
        this.plant = plant;
    }

    /** Where a search finds it soon. */
    long seed() {
        return seed;
    }

    void plantIn(SchemaCode code) {
        plant.accept(code);
    }

    private static final class Functions {

        static final String LOCK_EMPTY = "effect_queue_lock_empty_heads";
        static final String PUT_BACK = "effect_queue_put_back";
    }
}
