-- What   dispatch_outbox_repair_heads(): makes the heads agree with the events again.
-- Why    Triggers can be led round: session_replication_role = replica, disabled triggers, logical replication, a
--        data-only restore.
-- Locks  None on tables that exist. A call takes SHARE ROW EXCLUSIVE on dispatch_outbox until its transaction ends:
--        producers and completions wait, claims and readers do not.
-- Time   Milliseconds.

-- Returns the lanes it changed, and the lanes it had to leave because another transaction holds their head or because
-- they are leased and empty.
-- With its owner's rights, so that row security does not hide events from it. Never waits for a head, so it cannot deadlock with a transaction that claims and then completes.
CREATE FUNCTION "${flyway:defaultSchema}".dispatch_outbox_repair_heads()
    RETURNS TABLE (repaired_lanes bigint, busy_lanes bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET enable_nestloop = off -- it reads whole tables: a look for each row of another is never the better way
    AS $lanequeue$
DECLARE
    moved   bigint;
    removed bigint;
    added   bigint;
BEGIN
    IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
        RAISE EXCEPTION 'heads can be repaired at READ COMMITTED only, not at %', current_setting('transaction_isolation')
            USING ERRCODE = 'invalid_transaction_state',
                  HINT = 'Call repair in a transaction at READ COMMITTED: the snapshot must be taken after the lock.';
    END IF;
    LOCK TABLE "${flyway:defaultSchema}".dispatch_outbox IN SHARE ROW EXCLUSIVE MODE;

    -- A head that names another event than its lane's first moves there and becomes claimable; a lease stays.
    WITH first_events AS MATERIALIZED (
        SELECT DISTINCT ON (d.target_user_id) d.target_user_id, d.id, d.pts
        FROM "${flyway:defaultSchema}".dispatch_outbox d
        ORDER BY d.target_user_id, d.pts, d.id),
    wrong AS MATERIALIZED (
        SELECT h.target_user_id, f.id, f.pts
        FROM "${flyway:defaultSchema}".dispatch_outbox_user_heads h
        JOIN first_events f ON f.target_user_id = h.target_user_id
        WHERE (h.head_id, h.head_pts) IS DISTINCT FROM (f.id, f.pts)
        ORDER BY h.target_user_id
        FOR NO KEY UPDATE OF h SKIP LOCKED)
    UPDATE "${flyway:defaultSchema}".dispatch_outbox_user_heads h
    SET head_id = w.id,
        head_pts = w.pts,
        attempts = 0,
        last_error = NULL,
        available_at = CASE WHEN h.lease_id IS NULL THEN clock_timestamp() ELSE h.available_at END
    FROM wrong w
    WHERE h.target_user_id = w.target_user_id;
    GET DIAGNOSTICS moved = ROW_COUNT;

    -- Without events a head goes, but not a leased one: its lane would be handed on before its holder is done.
    WITH empty AS MATERIALIZED (
        SELECT h.target_user_id
        FROM "${flyway:defaultSchema}".dispatch_outbox_user_heads h
        WHERE h.lease_id IS NULL
          AND NOT EXISTS (SELECT 1
                          FROM "${flyway:defaultSchema}".dispatch_outbox d
                          WHERE d.target_user_id = h.target_user_id)
        ORDER BY h.target_user_id
        FOR UPDATE OF h SKIP LOCKED)
    DELETE FROM "${flyway:defaultSchema}".dispatch_outbox_user_heads h
    USING empty e
    WHERE h.target_user_id = e.target_user_id;
    GET DIAGNOSTICS removed = ROW_COUNT;

    INSERT INTO "${flyway:defaultSchema}".dispatch_outbox_user_heads (target_user_id, head_id, head_pts)
    SELECT DISTINCT ON (d.target_user_id) d.target_user_id, d.id, d.pts
    FROM "${flyway:defaultSchema}".dispatch_outbox d
    WHERE NOT EXISTS (SELECT 1
                      FROM "${flyway:defaultSchema}".dispatch_outbox_user_heads h
                      WHERE h.target_user_id = d.target_user_id)
    ORDER BY d.target_user_id, d.pts, d.id
    ON CONFLICT (target_user_id) DO NOTHING;
    GET DIAGNOSTICS added = ROW_COUNT;

    repaired_lanes := moved + removed + added;

    WITH first_events AS (
        SELECT DISTINCT ON (d.target_user_id) d.target_user_id, d.id, d.pts
        FROM "${flyway:defaultSchema}".dispatch_outbox d
        ORDER BY d.target_user_id, d.pts, d.id)
    SELECT count(*) INTO busy_lanes
    FROM first_events f
    FULL JOIN "${flyway:defaultSchema}".dispatch_outbox_user_heads h ON h.target_user_id = f.target_user_id
    WHERE (h.head_id, h.head_pts) IS DISTINCT FROM (f.id, f.pts);
    RETURN NEXT;
END
$lanequeue$;

REVOKE EXECUTE ON FUNCTION "${flyway:defaultSchema}".dispatch_outbox_repair_heads() FROM PUBLIC;
