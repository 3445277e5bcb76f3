-- What   The protocol of lanes: statement triggers for append, delete and truncate, the refusal of updates, and the
--        function that settles empty lanes.
-- Why    Statement triggers cost a third of row triggers on bulk appends; leases need a delete that leaves them alone.
-- Locks  SHARE ROW EXCLUSIVE on dispatch_outbox until commit: writers wait, readers do not. Nothing else is locked.
-- Time   Milliseconds.
--
-- docs/protocol.md says why each statement is as it is. Three rules hold throughout:
--   1. Lock in one statement, decide in the next: after a lock wait only the locked row is re-read.
--   2. A head is removed only under FOR UPDATE, which an open append's KEY SHARE refuses, and only by DELETE. The lock is
--      taken before this transaction changes anything on the head: ADR 18. Only a claim that settles cannot.
--   3. Lanes are locked in ascending order.

LOCK TABLE "${flyway:defaultSchema}".dispatch_outbox IN SHARE ROW EXCLUSIVE MODE;

-- Append. A lower head is pinned FOR KEY SHARE until this transaction ends and nothing else is done; otherwise the
-- lowest new event becomes the head. A lower event was never tried, so attempts and error start afresh and a blocked or
-- backing-off lane becomes claimable; a lease is left alone.
--
-- Qualified operators instead of SET search_path, which costs a single-row append more: the function runs with its
-- owner's rights, so nothing in it may be found through the caller's search_path. Without enable_seqscan = off a plan
-- made while the queue was empty looks up each lane of a bulk append by a scan of all heads.
CREATE FUNCTION "${flyway:defaultSchema}".dispatch_outbox_insert_user_heads() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET enable_seqscan = off AS $lanequeue$
BEGIN
    INSERT INTO "${flyway:defaultSchema}".dispatch_outbox_user_heads AS h (target_user_id, head_id, head_pts)
    SELECT n.target_user_id, n.id, n.pts
    FROM (SELECT DISTINCT ON (r.target_user_id) r.target_user_id, r.id, r.pts
          FROM new_rows r
          ORDER BY r.target_user_id, r.pts, r.id) n
    WHERE NOT EXISTS (SELECT 1
                      FROM "${flyway:defaultSchema}".dispatch_outbox_user_heads x
                      WHERE x.target_user_id OPERATOR(pg_catalog.=) n.target_user_id
                        AND ROW (x.head_pts, x.head_id) OPERATOR(pg_catalog.<) ROW (n.pts, n.id)
                      FOR KEY SHARE)
    ON CONFLICT (target_user_id) DO UPDATE
    SET head_id = EXCLUDED.head_id,
        head_pts = EXCLUDED.head_pts,
        attempts = 0,
        last_error = NULL,
        available_at = CASE WHEN h.lease_id IS NULL THEN pg_catalog.clock_timestamp() ELSE h.available_at END
    WHERE ROW (EXCLUDED.head_pts, EXCLUDED.head_id) OPERATOR(pg_catalog.<) ROW (h.head_pts, h.head_id);
    RETURN NULL;
END
$lanequeue$;

-- Whether the present transaction, or a subtransaction of it, wrote a version of a row that it sees; of the version the age of
-- its xmin. What others wrote has been committed by then. An xmin that is 2^31 transactions old, of a row that was frozen
-- long ago, looks younger than every one that there is.
CREATE FUNCTION "${flyway:defaultSchema}".dispatch_outbox_is_own_version(age_of_version integer) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $lanequeue$
DECLARE
    own   xid8   := pg_current_xact_id();
    since bigint := age(own::xid)::bigint - age_of_version; -- the version is so many transactions younger than this one
BEGIN
    RETURN since >= 0 AND pg_xact_status((own::text::bigint + since)::text::xid8) = 'in progress';
EXCEPTION
    WHEN invalid_parameter_value THEN -- "is in the future"
        RETURN false;
END
$lanequeue$;

-- Delete. Never touches a leased head: its holder ends the lease in the statement that deletes. A head whose event is
-- gone moves to the lane's next visible event; where none is visible it is removed, unless an append pins it.
--
-- The planner knows nothing of transition tables, and what it knows of heads and events is old after a burst. So heads
-- are looked up by lane, once, and then by their places, never joined: while somebody holds a snapshot open, each look by
-- lane walks past every version of the head since. Events by all columns of dispatch_outbox_lane_idx, since
-- believing the table empty the planner may answer a look for the id alone by walking that whole index; and "there is
-- none" is a scalar subquery, since NOT EXISTS becomes a join, with a walk over all events for each lane.
CREATE FUNCTION "${flyway:defaultSchema}".dispatch_outbox_delete_user_heads() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET enable_hashjoin = off
    SET enable_mergejoin = off
    SET enable_seqscan = off AS $lanequeue$
DECLARE
    read_committed boolean := current_setting('transaction_isolation') IN ('read committed', 'read uncommitted');
    headless       tid[];    -- the places of heads whose event is gone; we hold them
    emptied        bigint[]; -- the lanes of those that were removed
BEGIN
    IF NOT read_committed THEN
        -- The snapshot may be older than a block of the deleted event. A head that changed since is refused here (40001)
        -- instead of staying blocked on an event that is gone.
        PERFORM 1
        FROM (SELECT DISTINCT r.target_user_id AS lane FROM old_rows r ORDER BY 1) o
        CROSS JOIN LATERAL (SELECT 1
                            FROM "${flyway:defaultSchema}".dispatch_outbox_user_heads x
                            WHERE x.target_user_id = o.lane
                            LIMIT 1
                            FOR NO KEY UPDATE) x;
    END IF;

    SELECT array_agg(x.place) INTO headless
    FROM (SELECT DISTINCT r.target_user_id AS lane FROM old_rows r ORDER BY 1) o
    CROSS JOIN LATERAL (SELECT x.ctid AS place
                        FROM "${flyway:defaultSchema}".dispatch_outbox_user_heads x
                        WHERE x.target_user_id = o.lane
                          AND x.lease_id IS NULL
                          AND (SELECT d.id
                               FROM "${flyway:defaultSchema}".dispatch_outbox d
                               WHERE d.target_user_id = x.target_user_id
                                 AND d.pts = x.head_pts
                                 AND d.id = x.head_id) IS NULL
                        LIMIT 1
                        FOR NO KEY UPDATE OF x) x;
    IF headless IS NULL THEN
        RETURN NULL;
    END IF;

    IF read_committed THEN
        -- Heads of lanes that look empty go, unless an open append pins them, or this transaction has changed them
        -- already: then an append that waits for it might lose its pin if it is rolled back (ADR 18). On a head that an
        -- outcome has locked for this before it changed it, the name of the lease's holder is left.
        WITH empty AS MATERIALIZED (
            SELECT h.place
            FROM unnest(headless) o (place)
            CROSS JOIN LATERAL (SELECT x.ctid AS place
                                FROM "${flyway:defaultSchema}".dispatch_outbox_user_heads x
                                WHERE x.ctid = o.place
                                  AND (age(x.xmin) > 0
                                       OR x.leased_by IS NOT NULL
                                       OR NOT "${flyway:defaultSchema}".dispatch_outbox_is_own_version(age(x.xmin)))
                                  AND (SELECT d.id
                                       FROM "${flyway:defaultSchema}".dispatch_outbox d
                                       WHERE d.target_user_id = x.target_user_id
                                       LIMIT 1) IS NULL
                                LIMIT 1
                                FOR UPDATE OF x SKIP LOCKED) h),
        removed AS (
            DELETE FROM "${flyway:defaultSchema}".dispatch_outbox_user_heads h
            WHERE h.ctid = ANY (ARRAY (SELECT e.place FROM empty e))
            RETURNING h.target_user_id)
        SELECT array_agg(r.target_user_id) INTO emptied FROM removed r;

        -- A new statement sees what committed before the lock was ours.
        IF emptied IS NOT NULL THEN
            INSERT INTO "${flyway:defaultSchema}".dispatch_outbox_user_heads (target_user_id, head_id, head_pts)
            SELECT e.lane, n.id, n.pts
            FROM (SELECT u.lane FROM unnest(emptied) u (lane) ORDER BY 1) e
            CROSS JOIN LATERAL (SELECT d.id, d.pts
                                FROM "${flyway:defaultSchema}".dispatch_outbox d
                                WHERE d.target_user_id = e.lane
                                ORDER BY d.pts, d.id
                                LIMIT 1) n;
        END IF;
    END IF;

    -- The heads that are left move to the next visible event. Without one they stay dangling, claimable at once: the
    -- next claim settles them.
    UPDATE "${flyway:defaultSchema}".dispatch_outbox_user_heads h
    SET (head_id, head_pts) = (SELECT coalesce(n.id, h.head_id), coalesce(n.pts, h.head_pts)
                               FROM (SELECT 1) one
                               LEFT JOIN LATERAL (SELECT d.id, d.pts
                                                  FROM "${flyway:defaultSchema}".dispatch_outbox d
                                                  WHERE d.target_user_id = h.target_user_id
                                                  ORDER BY d.pts, d.id
                                                  LIMIT 1) n ON true),
        leased_by = NULL,
        available_at = clock_timestamp(),
        attempts = 0,
        last_error = NULL
    WHERE h.ctid = ANY (headless)
      AND (SELECT d.id
           FROM "${flyway:defaultSchema}".dispatch_outbox d
           WHERE d.target_user_id = h.target_user_id AND d.pts = h.head_pts AND d.id = h.head_id) IS NULL;
    RETURN NULL;
END
$lanequeue$;

-- Truncate takes ACCESS EXCLUSIVE on the outbox, so no append is open and every head goes, leased or not. Above READ
-- COMMITTED the snapshot does not show the heads of lanes that began since, which would stay, blocked ones for ever.
CREATE FUNCTION "${flyway:defaultSchema}".dispatch_outbox_truncate_user_heads() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $lanequeue$
BEGIN
    IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
        RAISE EXCEPTION 'the outbox can be truncated at READ COMMITTED only, not at %',
                current_setting('transaction_isolation')
            USING ERRCODE = 'invalid_transaction_state',
                  HINT = 'Truncate in a transaction at READ COMMITTED, so that the heads of all lanes are seen.';
    END IF;
    DELETE FROM "${flyway:defaultSchema}".dispatch_outbox_user_heads;
    RETURN NULL;
END
$lanequeue$;

CREATE FUNCTION "${flyway:defaultSchema}".dispatch_outbox_refuse_update() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $lanequeue$
BEGIN
    RAISE EXCEPTION 'event % of lane % keeps its id, target_user_id and pts', OLD.id, OLD.target_user_id
        USING ERRCODE = 'restrict_violation',
              HINT = 'Events are never moved. Append a new event; delete the old one through the operator calls.';
END
$lanequeue$;

-- Settles lanes that a claim leased and found empty: removes their heads, or, where that is not safe yet (an append
-- pins the head, or the transaction is above READ COMMITTED), ends the lease with a short back-off that grows with the
-- attempts. Lanes and leases are parallel arrays; a lane whose lease is another by now is left alone.
-- Returns the number of lanes settled.
--
-- With its owner's rights, so that row security, which may hide events from a worker, does not make a lane look empty.
CREATE FUNCTION "${flyway:defaultSchema}".dispatch_outbox_settle_heads(lanes bigint[], leases bigint[])
    RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET enable_hashjoin = off
    SET enable_mergejoin = off
    SET enable_seqscan = off AS $lanequeue$
DECLARE
    removed_lanes bigint[];
    backing_off   integer;
BEGIN
    IF cardinality(lanes) = 0 THEN
        RETURN 0;
    END IF;

    IF current_setting('transaction_isolation') IN ('read committed', 'read uncommitted') THEN
        WITH empty AS MATERIALIZED (
            SELECT h.target_user_id
            FROM (SELECT u.lane, u.lease FROM unnest(lanes, leases) u (lane, lease) ORDER BY u.lane) k
            CROSS JOIN LATERAL (SELECT x.target_user_id
                                FROM "${flyway:defaultSchema}".dispatch_outbox_user_heads x
                                WHERE x.target_user_id = k.lane
                                  AND x.lease_id = k.lease
                                  AND (SELECT d.id
                                       FROM "${flyway:defaultSchema}".dispatch_outbox d
                                       WHERE d.target_user_id = x.target_user_id
                                       LIMIT 1) IS NULL
                                LIMIT 1
                                FOR UPDATE OF x SKIP LOCKED) h),
        removed AS (
            DELETE FROM "${flyway:defaultSchema}".dispatch_outbox_user_heads h
            WHERE h.target_user_id = ANY (ARRAY (SELECT e.target_user_id FROM empty e))
            RETURNING h.target_user_id)
        SELECT array_agg(r.target_user_id) INTO removed_lanes FROM removed r;

        -- A new statement sees what committed before the lock was ours.
        INSERT INTO "${flyway:defaultSchema}".dispatch_outbox_user_heads (target_user_id, head_id, head_pts)
        SELECT e.lane, n.id, n.pts
        FROM (SELECT u.lane FROM unnest(removed_lanes) u (lane) ORDER BY 1) e
        CROSS JOIN LATERAL (SELECT d.id, d.pts
                            FROM "${flyway:defaultSchema}".dispatch_outbox d
                            WHERE d.target_user_id = e.lane
                            ORDER BY d.pts, d.id
                            LIMIT 1) n;
    END IF;

    -- The leases that are left are of lanes whose head could not go.
    UPDATE "${flyway:defaultSchema}".dispatch_outbox_user_heads h
    SET lease_id = NULL,
        leased_by = NULL,
        available_at = clock_timestamp() + CASE
            WHEN EXISTS (SELECT 1
                         FROM "${flyway:defaultSchema}".dispatch_outbox d
                         WHERE d.target_user_id = h.target_user_id) THEN interval '0'
            ELSE least(interval '20 ms' * power(2, least(h.attempts, 10)), interval '1 s') END
    WHERE h.target_user_id = ANY (lanes) AND h.lease_id = ANY (leases); -- a lease is of one lane only
    GET DIAGNOSTICS backing_off = ROW_COUNT;
    RETURN coalesce(cardinality(removed_lanes), 0) + backing_off;
END
$lanequeue$;

-- They run with their owner's rights: nobody else may hang a trigger function on a table of theirs, and settling is for
-- roles that are granted it.
REVOKE EXECUTE ON FUNCTION
    "${flyway:defaultSchema}".dispatch_outbox_insert_user_heads(),
    "${flyway:defaultSchema}".dispatch_outbox_is_own_version(integer),
    "${flyway:defaultSchema}".dispatch_outbox_delete_user_heads(),
    "${flyway:defaultSchema}".dispatch_outbox_truncate_user_heads(),
    "${flyway:defaultSchema}".dispatch_outbox_refuse_update(),
    "${flyway:defaultSchema}".dispatch_outbox_settle_heads(bigint[], bigint[])
    FROM PUBLIC;

-- CREATE OR REPLACE needs no more than the lock above; DROP TRIGGER would need ACCESS EXCLUSIVE.
CREATE OR REPLACE TRIGGER dispatch_outbox_insert_user_head
    AFTER INSERT ON "${flyway:defaultSchema}".dispatch_outbox
    REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION "${flyway:defaultSchema}".dispatch_outbox_insert_user_heads();

CREATE OR REPLACE TRIGGER dispatch_outbox_delete_user_head
    AFTER DELETE ON "${flyway:defaultSchema}".dispatch_outbox
    REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION "${flyway:defaultSchema}".dispatch_outbox_delete_user_heads();

CREATE TRIGGER dispatch_outbox_truncate_user_heads
    AFTER TRUNCATE ON "${flyway:defaultSchema}".dispatch_outbox
    FOR EACH STATEMENT EXECUTE FUNCTION "${flyway:defaultSchema}".dispatch_outbox_truncate_user_heads();

CREATE TRIGGER dispatch_outbox_refuse_update
    BEFORE UPDATE ON "${flyway:defaultSchema}".dispatch_outbox
    FOR EACH ROW
    WHEN ((OLD.id, OLD.target_user_id, OLD.pts) IS DISTINCT FROM (NEW.id, NEW.target_user_id, NEW.pts))
    EXECUTE FUNCTION "${flyway:defaultSchema}".dispatch_outbox_refuse_update();

DROP FUNCTION "${flyway:defaultSchema}".dispatch_outbox_maintain_user_head();

-- As for the heads in migration 3.
ALTER TABLE "${flyway:defaultSchema}".dispatch_outbox SET (
    autovacuum_vacuum_scale_factor = 0.05,
    autovacuum_vacuum_cost_delay = 0,
    vacuum_truncate = off,
    autovacuum_analyze_scale_factor = 0.05);
