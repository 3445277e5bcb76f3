-- What   effect_queue_repair_heads(): makes the heads of repositories agree with the effects again.
-- Why    As dispatch_outbox_repair_heads of migration 3.4.
-- Locks  None on tables that exist. A call takes SHARE ROW EXCLUSIVE on effect_queue until its transaction ends: whoever
--        changes an effect waits, readers do not.

-- Returns the repositories it changed, and those it had to leave because another transaction holds their head.
-- With its owner's rights, so that row security does not hide effects from it. Never waits for a head.
CREATE FUNCTION "${flyway:defaultSchema}".effect_queue_repair_heads()
    RETURNS TABLE (repaired_repos bigint, busy_repos bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET enable_nestloop = off -- it reads whole tables: a look for each row of another is never the better way
    AS $lanequeue$
DECLARE
    moved bigint;
    added bigint;
BEGIN
    IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
        RAISE EXCEPTION 'heads can be repaired at READ COMMITTED only, not at %', current_setting('transaction_isolation')
            USING ERRCODE = 'invalid_transaction_state',
                  HINT = 'Call repair in a transaction at READ COMMITTED: the snapshot must be taken after the lock.';
    END IF;
    LOCK TABLE "${flyway:defaultSchema}".effect_queue IN SHARE ROW EXCLUSIVE MODE;

    WITH truth AS MATERIALIZED (
        SELECT e.repo_id, min(e.id) FILTER (WHERE e.state = 'enqueued') AS head_id,
               count(*) FILTER (WHERE e.state = 'claimed') AS in_flight
        FROM "${flyway:defaultSchema}".effect_queue e
        WHERE e.state IN ('enqueued', 'claimed')
        GROUP BY e.repo_id),
    wrong AS MATERIALIZED (
        SELECT h.repo_id, t.head_id, coalesce(t.in_flight, 0) AS in_flight
        FROM "${flyway:defaultSchema}".effect_queue_repo_heads h
        LEFT JOIN truth t ON t.repo_id = h.repo_id
        WHERE (h.head_id, h.in_flight) IS DISTINCT FROM (t.head_id, t.in_flight::integer) -- also those that go
        ORDER BY h.repo_id
        FOR NO KEY UPDATE OF h SKIP LOCKED)
    UPDATE "${flyway:defaultSchema}".effect_queue_repo_heads h
    SET head_id = w.head_id, in_flight = w.in_flight
    FROM wrong w
    WHERE h.repo_id = w.repo_id;
    GET DIAGNOSTICS moved = ROW_COUNT;

    WITH empty AS MATERIALIZED (
        SELECT h.repo_id
        FROM "${flyway:defaultSchema}".effect_queue_repo_heads h
        WHERE h.head_id IS NULL AND h.in_flight = 0
        ORDER BY h.repo_id
        FOR UPDATE OF h SKIP LOCKED)
    DELETE FROM "${flyway:defaultSchema}".effect_queue_repo_heads h
    USING empty e
    WHERE h.repo_id = e.repo_id;

    INSERT INTO "${flyway:defaultSchema}".effect_queue_repo_heads (repo_id, head_id, in_flight)
    SELECT e.repo_id, min(e.id) FILTER (WHERE e.state = 'enqueued'), count(*) FILTER (WHERE e.state = 'claimed')
    FROM "${flyway:defaultSchema}".effect_queue e
    WHERE e.state IN ('enqueued', 'claimed')
      AND NOT EXISTS (SELECT 1 FROM "${flyway:defaultSchema}".effect_queue_repo_heads h WHERE h.repo_id = e.repo_id)
    GROUP BY e.repo_id
    ORDER BY e.repo_id
    ON CONFLICT (repo_id) DO NOTHING;
    GET DIAGNOSTICS added = ROW_COUNT;
    repaired_repos := moved + added;

    SELECT count(*) INTO busy_repos
    FROM (SELECT e.repo_id, min(e.id) FILTER (WHERE e.state = 'enqueued') AS head_id,
                 count(*) FILTER (WHERE e.state = 'claimed') AS in_flight
          FROM "${flyway:defaultSchema}".effect_queue e
          WHERE e.state IN ('enqueued', 'claimed')
          GROUP BY e.repo_id) t
    FULL JOIN "${flyway:defaultSchema}".effect_queue_repo_heads h ON h.repo_id = t.repo_id
    WHERE h.in_flight IS DISTINCT FROM t.in_flight::integer;
    RETURN NEXT;
END
$lanequeue$;

REVOKE EXECUTE ON FUNCTION "${flyway:defaultSchema}".effect_queue_repair_heads() FROM PUBLIC;
