-- What   effect_queue_put_back(): lets effects wait again, for retry, release, requeue and redrive.
-- Why    An effect that comes back may meet another one of the same dedupe key. It is then superseded, which is its own
--        outcome and not an error of the batch. Only a function can look again after a unique violation.
-- Locks  None on tables that exist. A call locks the effects FOR UPDATE, ascending by id, then the heads.

-- Parallel arrays: the effects; the claim each is held under; when it is due, or null for now; why, or null to keep the
-- error it has; and what to add to its attempts, or null for an effect that failed for good and is redriven. An effect that
-- was claimed max_attempts times or more fails for good instead; null for no such limit.
-- Returns a row for each effect that was held so: the effect that supersedes it, or null, and whether it failed.
CREATE FUNCTION "${flyway:defaultSchema}".effect_queue_put_back(
        effects bigint[], claims bigint[], due timestamptz[], errors text[], attempts_added integer[],
        max_attempts integer)
    RETURNS TABLE (effect_id bigint, superseded_by bigint, is_failed boolean)
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off AS $lanequeue$
DECLARE
    put_back  bigint[];
    newer     bigint[];
    exhausted boolean[];
    violated  text;
BEGIN
    -- In a statement of its own, so that the next one sees what was committed while a lock was waited for: else an effect might
    -- be superseded by one that has been done meanwhile.
    PERFORM 1
    FROM (SELECT u.* FROM unnest(effects, claims, attempts_added) u (effect, claim, added) ORDER BY u.effect) k
    CROSS JOIN LATERAL (SELECT x.id
                        FROM "${flyway:defaultSchema}".effect_queue x
                        WHERE x.id = k.effect
                          AND CASE WHEN k.added IS NULL THEN x.state = 'failed'
                                   ELSE x.state = 'claimed' AND x.claim_id IS NOT DISTINCT FROM k.claim END
                        LIMIT 1
                        FOR UPDATE) e;
    LOOP
        BEGIN
            WITH held AS MATERIALIZED (
                SELECT e.id, e.repo_id, e.dedupe_key, e.fails, k.due_at, k.error, k.added
                FROM (SELECT u.*
                      FROM unnest(effects, claims, due, errors, attempts_added) u (effect, claim, due_at, error, added)
                      ORDER BY u.effect) k
                CROSS JOIN LATERAL (SELECT x.id, x.repo_id, x.dedupe_key, coalesce(x.attempts >= max_attempts, false) AS fails
                                    FROM "${flyway:defaultSchema}".effect_queue x
                                    WHERE x.id = k.effect
                                      AND CASE WHEN k.added IS NULL THEN x.state = 'failed'
                                               ELSE x.state = 'claimed' AND x.claim_id IS NOT DISTINCT FROM k.claim END
                                    LIMIT 1
                                    FOR UPDATE) e),
            decided AS MATERIALIZED (
                -- An effect that waits already, or else the newest of those that come back together.
                SELECT h.*,
                       CASE WHEN NOT h.fails THEN
                           coalesce((SELECT w.id
                                     FROM "${flyway:defaultSchema}".effect_queue w
                                     WHERE w.repo_id = h.repo_id
                                       AND w.dedupe_key = h.dedupe_key
                                       AND w.state IN ('scheduled', 'enqueued')
                                     LIMIT 1),
                                    nullif(max(h.id) FILTER (WHERE h.dedupe_key IS NOT NULL AND NOT h.fails)
                                               OVER (PARTITION BY h.repo_id, h.dedupe_key),
                                           h.id)) END AS newer
                FROM held h),
            changed AS (
                UPDATE "${flyway:defaultSchema}".effect_queue e
                SET state = CASE WHEN d.fails THEN 'failed'
                                 WHEN d.newer IS NOT NULL THEN 'done'
                                 WHEN d.due_at IS NULL THEN 'enqueued'
                                 ELSE 'scheduled' END,
                    claim_id = NULL,
                    claimed_by = NULL,
                    claimed_at = NULL,
                    failed_at = CASE WHEN d.fails THEN clock_timestamp() END,
                    done_at = CASE WHEN d.newer IS NOT NULL THEN clock_timestamp() END,
                    scheduled_at = CASE WHEN d.newer IS NULL AND NOT d.fails THEN d.due_at END,
                    enqueued_at = CASE WHEN d.newer IS NULL AND d.due_at IS NULL AND NOT d.fails THEN clock_timestamp()
                                       ELSE e.enqueued_at END,
                    attempts = CASE WHEN d.added IS NULL THEN 0 ELSE greatest(e.attempts + d.added, 0) END,
                    last_error = CASE WHEN d.fails THEN coalesce(d.error, e.last_error, 'its workers did not report')
                                      WHEN d.newer IS NOT NULL THEN 'superseded by effect ' || d.newer
                                      ELSE coalesce(d.error, e.last_error) END
                FROM decided d
                WHERE e.id = d.id AND e.id = ANY (ARRAY (SELECT x.id FROM decided x))
                RETURNING e.id, d.newer, d.fails)
            SELECT array_agg(c.id), array_agg(c.newer), array_agg(c.fails) INTO put_back, newer, exhausted FROM changed c;
            EXIT;
        EXCEPTION WHEN unique_violation THEN
            GET STACKED DIAGNOSTICS violated = CONSTRAINT_NAME;
            IF violated <> 'effect_queue_dedupe_idx' THEN
                RAISE; -- an index that somebody added: to look again would change nothing
            END IF;
            -- Somebody enqueued the same key after the look: look again.
            IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
                RAISE EXCEPTION 'an effect of the same dedupe key was enqueued since the snapshot'
                    USING ERRCODE = 'serialization_failure';
            END IF;
        END;
    END LOOP;
    RETURN QUERY SELECT u.id, u.newer, u.fails FROM unnest(put_back, newer, exhausted) u (id, newer, fails);
END
$lanequeue$;

-- With the caller's rights, and even so only for roles that are granted it, as all functions here.
REVOKE EXECUTE ON FUNCTION
    "${flyway:defaultSchema}".effect_queue_put_back(bigint[], bigint[], timestamptz[], text[], integer[], integer)
    FROM PUBLIC;
