-- What   effect_queue_repo_heads: one row per repository with effects enqueued or claimed, kept by statement triggers.
-- Why    Finding the oldest effects across repositories, past those that are excluded or at their cap, costs time with
--        their backlog; a head costs the same at any backlog. in_flight counts claims in the database, so that a cap
--        holds whatever dispatchers there are and however they end.
-- Locks  SHARE ROW EXCLUSIVE on effect_queue until commit: writers wait, readers do not. The lock comes before the
--        backfill, so that every effect is either seen by the backfill or comes after the triggers.
-- Time   One pass over effect_queue: about a second for each million effects.
-- Claims that do not know heads keep working: the triggers count them.
--
-- Four rules hold throughout; docs/protocol.md says why.
--   1. head_id only says where to look first. NULL, and a head that is not the lowest, are looked at all the same.
--   2. in_flight is exact at every committed state: it changes under the lock of the row, in the transaction that
--      changes the state.
--   3. An enqueue pins the head FOR KEY SHARE and changes nothing on it, so that an open producer blocks neither a claim
--      nor a completion. A head is removed only under FOR UPDATE, which a pin refuses, and which was taken before this
--      transaction changed anything on it.
--   4. Heads are locked in ascending order of the repository, after the effects.
-- The lowest effect of a repository is read by a range of one repository: with an equation the planner may walk the
-- primary key instead, past every effect of the others.

DO $lanequeue$
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'migration 5 must run at READ COMMITTED, not at %', current_setting('transaction_isolation')
            USING ERRCODE = 'invalid_transaction_state',
                  HINT = 'Run it through LanequeueSchema, or set default_transaction_isolation to read committed.';
    END IF;
END
$lanequeue$;

LOCK TABLE "${flyway:defaultSchema}".effect_queue IN SHARE ROW EXCLUSIVE MODE;

CREATE TABLE "${flyway:defaultSchema}".effect_queue_repo_heads (
    repo_id   text    PRIMARY KEY,
    head_id   bigint,
    in_flight integer NOT NULL DEFAULT 0 CONSTRAINT effect_queue_repo_heads_in_flight_check CHECK (in_flight >= 0)
);

-- A dispatcher walks this one from the oldest head on, those without a known head first.
CREATE INDEX effect_queue_repo_heads_head_idx
    ON "${flyway:defaultSchema}".effect_queue_repo_heads (head_id NULLS FIRST);

-- Heads without a known effect; those with none in flight either wait to be settled. No index says anything of in_flight, so
-- that a completion, which changes nothing else, adds no entry to any.
CREATE INDEX effect_queue_repo_heads_empty_idx
    ON "${flyway:defaultSchema}".effect_queue_repo_heads (repo_id) WHERE head_id IS NULL;

ALTER TABLE "${flyway:defaultSchema}".effect_queue_repo_heads SET (
    fillfactor = 70,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0,
    vacuum_truncate = off,
    autovacuum_analyze_scale_factor = 0.05);

INSERT INTO "${flyway:defaultSchema}".effect_queue_repo_heads (repo_id, head_id, in_flight)
SELECT repo_id, min(id) FILTER (WHERE state = 'enqueued'), count(*) FILTER (WHERE state = 'claimed')
FROM "${flyway:defaultSchema}".effect_queue
WHERE state IN ('enqueued', 'claimed')
GROUP BY repo_id;

-- Locks FOR UPDATE the heads of these repositories that nothing will stand behind once the given numbers are added to
-- their in_flight: no effect enqueued, none in flight. A head that names an effect is looked at only where it is said that
-- other effects wait than before. One that an open enqueue pins is left, and so is one that this transaction has changed
-- already. Returns the repositories. Above READ COMMITTED there are none.
--
-- PostgreSQL grants KEY SHARE on a row whose change and removal by one transaction are rolled back without looking whether
-- another one has changed it by then. The enqueue that waited would pin a version that is no more, and lose its head. It
-- does look where the row was locked FOR UPDATE, or removed, and not changed before (ADR 18).
CREATE FUNCTION "${flyway:defaultSchema}".effect_queue_lock_empty_heads(
    repos text[], deltas integer[], others_wait boolean[]) RETURNS text[]
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off AS $lanequeue$
BEGIN
    IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
        RETURN ARRAY[]::text[];
    END IF;
    RETURN ARRAY (
        SELECT h.repo_id
        FROM (SELECT u.repo, u.delta, u.moves
              FROM unnest(repos, deltas, others_wait) u (repo, delta, moves)
              ORDER BY 1) o
        CROSS JOIN LATERAL (SELECT x.repo_id
                            FROM "${flyway:defaultSchema}".effect_queue_repo_heads x
                            WHERE x.repo_id = o.repo
                              AND x.in_flight + o.delta = 0
                              AND (o.moves OR x.head_id IS NULL)
                              AND (age(x.xmin) > 0
                                   OR NOT "${flyway:defaultSchema}".dispatch_outbox_is_own_version(age(x.xmin)))
                              AND (SELECT e.id
                                   FROM "${flyway:defaultSchema}".effect_queue e
                                   WHERE e.repo_id = x.repo_id AND e.state = 'enqueued'
                                   LIMIT 1) IS NULL
                            LIMIT 1
                            FOR UPDATE OF x SKIP LOCKED) h);
END
$lanequeue$;

-- Removes heads that effect_queue_lock_empty_heads has locked, and puts those back that an effect stands behind after all.
CREATE FUNCTION "${flyway:defaultSchema}".effect_queue_remove_heads(repos text[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off AS $lanequeue$
BEGIN
    DELETE FROM "${flyway:defaultSchema}".effect_queue_repo_heads h WHERE h.repo_id = ANY (repos);

    -- A new statement sees what committed before the lock was ours.
    INSERT INTO "${flyway:defaultSchema}".effect_queue_repo_heads (repo_id, head_id)
    SELECT r.repo, n.id
    FROM (SELECT u.repo FROM unnest(repos) u (repo) ORDER BY 1) r
    CROSS JOIN LATERAL (SELECT e.id
                        FROM "${flyway:defaultSchema}".effect_queue e
                        WHERE e.repo_id BETWEEN r.repo AND r.repo AND e.state = 'enqueued'
                        ORDER BY e.repo_id, e.id
                        LIMIT 1) n;
END
$lanequeue$;

-- Removes the heads of these repositories that nothing stands behind. One that an open enqueue pins stays, and every claim
-- looks at it until it is settled. Returns how many it removed.
CREATE FUNCTION "${flyway:defaultSchema}".effect_queue_settle_heads(repos text[]) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $lanequeue$
DECLARE
    emptied text[];
BEGIN
    IF cardinality(repos) = 0 THEN
        RETURN 0;
    END IF;
    emptied := "${flyway:defaultSchema}".effect_queue_lock_empty_heads(
        repos, array_fill(0, ARRAY[cardinality(repos)]), array_fill(true, ARRAY[cardinality(repos)]));
    PERFORM "${flyway:defaultSchema}".effect_queue_remove_heads(emptied);
    RETURN cardinality(emptied);
END
$lanequeue$;

-- Adds the given numbers to the in_flight of these repositories. Where it is said that other effects wait than before, or
-- where none was known to wait, the head moves to the lowest visible effect; elsewhere it stays. Repositories ascending, each
-- once.
CREATE FUNCTION "${flyway:defaultSchema}".effect_queue_update_heads(repos text[], deltas integer[], others_wait boolean[])
    RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off AS $lanequeue$
DECLARE
    places  tid[];
    emptied text[];
BEGIN
    LOOP
        SELECT array_agg(x.ctid ORDER BY o.position) INTO places
        FROM (SELECT u.repo, u.position FROM unnest(repos) WITH ORDINALITY u (repo, position) ORDER BY u.position) o
        CROSS JOIN LATERAL (SELECT x.ctid
                            FROM "${flyway:defaultSchema}".effect_queue_repo_heads x
                            WHERE x.repo_id = o.repo
                            LIMIT 1
                            FOR NO KEY UPDATE) x;
        EXIT WHEN cardinality(places) = cardinality(repos);
        -- Adds those that are missing. One may be removed before it is locked; then once more.
        INSERT INTO "${flyway:defaultSchema}".effect_queue_repo_heads (repo_id)
        SELECT u.repo FROM unnest(repos) WITH ORDINALITY u (repo, position) ORDER BY u.position
        ON CONFLICT (repo_id) DO NOTHING;
    END LOOP;

    -- New statements see what committed before the locks were ours, and a locked head stays in its place.
    IF 0 >= ANY (deltas) THEN
        emptied := "${flyway:defaultSchema}".effect_queue_lock_empty_heads(repos, deltas, others_wait);
    END IF;
    IF cardinality(emptied) > 0 THEN
        PERFORM "${flyway:defaultSchema}".effect_queue_remove_heads(emptied);
    END IF;
    UPDATE "${flyway:defaultSchema}".effect_queue_repo_heads h
    SET in_flight = h.in_flight + c.delta,
        head_id = CASE WHEN c.moves OR h.head_id IS NULL THEN
                      (SELECT e.id
                       FROM "${flyway:defaultSchema}".effect_queue e
                       WHERE e.repo_id BETWEEN h.repo_id AND h.repo_id AND e.state = 'enqueued'
                       ORDER BY e.repo_id, e.id
                       LIMIT 1)
                  ELSE h.head_id END
    FROM unnest(places, deltas, others_wait) c (place, delta, moves)
    WHERE h.ctid = c.place;
END
$lanequeue$;

-- Pins the heads of these repositories FOR KEY SHARE and changes nothing on them: an effect that comes below the head is
-- found all the same. Where there is none it is added, with the given effect; where another transaction adds it meanwhile,
-- that one is pinned. Waits for no claim and no completion. Repositories ascending, each once.
CREATE FUNCTION "${flyway:defaultSchema}".effect_queue_pin_heads(repos text[], effects bigint[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off AS $lanequeue$
DECLARE
    unpinned text[] := repos;
BEGIN
    LOOP
        WITH pinned AS MATERIALIZED (
            SELECT x.repo_id
            FROM (SELECT u.repo FROM unnest(unpinned) u (repo) ORDER BY 1) o
            CROSS JOIN LATERAL (SELECT x.repo_id
                                FROM "${flyway:defaultSchema}".effect_queue_repo_heads x
                                WHERE x.repo_id = o.repo
                                LIMIT 1
                                FOR KEY SHARE) x)
        SELECT array_agg(u.repo ORDER BY u.repo) INTO unpinned
        FROM unnest(unpinned) u (repo)
        WHERE u.repo NOT IN (SELECT p.repo_id FROM pinned p);
        EXIT WHEN unpinned IS NULL;

        WITH added AS (
            INSERT INTO "${flyway:defaultSchema}".effect_queue_repo_heads (repo_id, head_id)
            SELECT u.repo, u.effect
            FROM unnest(repos, effects) u (repo, effect)
            WHERE u.repo = ANY (unpinned)
            ORDER BY u.repo
            ON CONFLICT (repo_id) DO NOTHING
            RETURNING repo_id)
        SELECT array_agg(u.repo ORDER BY u.repo) INTO unpinned
        FROM unnest(unpinned) u (repo)
        WHERE u.repo NOT IN (SELECT a.repo_id FROM added a);
        EXIT WHEN unpinned IS NULL;
    END LOOP;
END
$lanequeue$;

-- Enqueue. Effects that come in as claimed, as from a restore, are counted.
CREATE FUNCTION "${flyway:defaultSchema}".effect_queue_insert_repo_heads() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $lanequeue$
DECLARE
    repos   text[];
    effects bigint[];
    deltas  integer[];
    waiting boolean[];
BEGIN
    SELECT array_agg(r.repo_id ORDER BY r.repo_id), array_agg(r.id ORDER BY r.repo_id) INTO repos, effects
    FROM (SELECT n.repo_id, min(n.id) AS id FROM new_rows n WHERE n.state = 'enqueued' GROUP BY n.repo_id) r;
    IF repos IS NOT NULL THEN
        PERFORM "${flyway:defaultSchema}".effect_queue_pin_heads(repos, effects);
    END IF;

    SELECT array_agg(r.repo_id ORDER BY r.repo_id), array_agg(r.claimed ORDER BY r.repo_id), array_agg(false)
    INTO repos, deltas, waiting
    FROM (SELECT n.repo_id, count(*)::integer AS claimed FROM new_rows n WHERE n.state = 'claimed' GROUP BY n.repo_id) r;
    IF repos IS NOT NULL THEN
        PERFORM "${flyway:defaultSchema}".effect_queue_update_heads(repos, deltas, waiting);
    END IF;
    RETURN NULL;
END
$lanequeue$;

-- Every change of state: what was claimed or is claimed now is counted, and where effects are waited for no more, or again,
-- the head moves to the lowest visible one. Where effects only come to be enqueued (they became due, or were redriven) the
-- head is pinned as for an enqueue, so that this waits for nobody. (A statement that swaps as many enqueued for claimed
-- effects as the other way round leaves the head where it is: rule 1.)
CREATE FUNCTION "${flyway:defaultSchema}".effect_queue_update_repo_heads() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $lanequeue$
DECLARE
    pinned  text[];
    effects bigint[];
    repos   text[];
    deltas  integer[];
    waiting boolean[];
BEGIN
    WITH changed AS (
        SELECT c.repo_id, sum(c.claimed)::integer AS claimed, sum(c.enqueued) AS enqueued, min(c.id) AS id
        FROM (SELECT n.repo_id, (n.state = 'claimed')::integer AS claimed, (n.state = 'enqueued')::integer AS enqueued,
                     CASE WHEN n.state = 'enqueued' THEN n.id END AS id
              FROM new_rows n
              UNION ALL
              SELECT o.repo_id, -(o.state = 'claimed')::integer, -(o.state = 'enqueued')::integer, NULL
              FROM old_rows o) c
        GROUP BY c.repo_id)
    SELECT array_agg(c.repo_id ORDER BY c.repo_id) FILTER (WHERE c.claimed = 0 AND c.enqueued > 0),
           array_agg(c.id ORDER BY c.repo_id) FILTER (WHERE c.claimed = 0 AND c.enqueued > 0),
           array_agg(c.repo_id ORDER BY c.repo_id) FILTER (WHERE c.claimed <> 0 OR c.enqueued < 0),
           array_agg(c.claimed ORDER BY c.repo_id) FILTER (WHERE c.claimed <> 0 OR c.enqueued < 0),
           array_agg(c.enqueued <> 0 ORDER BY c.repo_id) FILTER (WHERE c.claimed <> 0 OR c.enqueued < 0)
    INTO pinned, effects, repos, deltas, waiting
    FROM changed c;
    IF pinned IS NOT NULL THEN
        PERFORM "${flyway:defaultSchema}".effect_queue_pin_heads(pinned, effects);
    END IF;
    IF repos IS NOT NULL THEN
        PERFORM "${flyway:defaultSchema}".effect_queue_update_heads(repos, deltas, waiting);
    END IF;
    RETURN NULL;
END
$lanequeue$;

CREATE FUNCTION "${flyway:defaultSchema}".effect_queue_delete_repo_heads() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $lanequeue$
DECLARE
    repos   text[];
    deltas  integer[];
    waiting boolean[];
BEGIN
    SELECT array_agg(r.repo_id ORDER BY r.repo_id), array_agg(r.claimed ORDER BY r.repo_id),
           array_agg(r.waited ORDER BY r.repo_id)
    INTO repos, deltas, waiting
    FROM (SELECT o.repo_id, -(count(*) FILTER (WHERE o.state = 'claimed'))::integer AS claimed,
                 bool_or(o.state = 'enqueued') AS waited
          FROM old_rows o
          WHERE o.state IN ('claimed', 'enqueued')
          GROUP BY o.repo_id) r;
    IF repos IS NOT NULL THEN
        PERFORM "${flyway:defaultSchema}".effect_queue_update_heads(repos, deltas, waiting);
    END IF;
    RETURN NULL;
END
$lanequeue$;

CREATE FUNCTION "${flyway:defaultSchema}".effect_queue_truncate_repo_heads() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $lanequeue$
BEGIN
    IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
        RAISE EXCEPTION 'the effect queue can be truncated at READ COMMITTED only, not at %',
                current_setting('transaction_isolation')
            USING ERRCODE = 'invalid_transaction_state',
                  HINT = 'Truncate in a transaction at READ COMMITTED, so that the heads of all repositories are seen.';
    END IF;
    DELETE FROM "${flyway:defaultSchema}".effect_queue_repo_heads;
    RETURN NULL;
END
$lanequeue$;

CREATE FUNCTION "${flyway:defaultSchema}".effect_queue_refuse_update() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $lanequeue$
BEGIN
    RAISE EXCEPTION 'effect % keeps its id and its repository %', OLD.id, OLD.repo_id
        USING ERRCODE = 'restrict_violation',
              HINT = 'Effects never move. Enqueue a new one; cancel the old one through the operator calls.';
END
$lanequeue$;

CREATE TRIGGER effect_queue_insert_repo_heads
    AFTER INSERT ON "${flyway:defaultSchema}".effect_queue
    REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION "${flyway:defaultSchema}".effect_queue_insert_repo_heads();

CREATE TRIGGER effect_queue_update_repo_heads
    AFTER UPDATE ON "${flyway:defaultSchema}".effect_queue
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION "${flyway:defaultSchema}".effect_queue_update_repo_heads();

CREATE TRIGGER effect_queue_delete_repo_heads
    AFTER DELETE ON "${flyway:defaultSchema}".effect_queue
    REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION "${flyway:defaultSchema}".effect_queue_delete_repo_heads();

CREATE TRIGGER effect_queue_truncate_repo_heads
    AFTER TRUNCATE ON "${flyway:defaultSchema}".effect_queue
    FOR EACH STATEMENT EXECUTE FUNCTION "${flyway:defaultSchema}".effect_queue_truncate_repo_heads();

-- AFTER: a row trigger that comes before locks and reads each row once more.
CREATE TRIGGER effect_queue_refuse_update
    AFTER UPDATE ON "${flyway:defaultSchema}".effect_queue
    FOR EACH ROW
    WHEN ((OLD.id, OLD.repo_id) IS DISTINCT FROM (NEW.id, NEW.repo_id))
    EXECUTE FUNCTION "${flyway:defaultSchema}".effect_queue_refuse_update();

-- They run with their owner's rights: nobody else may hang a trigger function on a table of theirs.
REVOKE EXECUTE ON FUNCTION
    "${flyway:defaultSchema}".effect_queue_lock_empty_heads(text[], integer[], boolean[]),
    "${flyway:defaultSchema}".effect_queue_remove_heads(text[]),
    "${flyway:defaultSchema}".effect_queue_settle_heads(text[]),
    "${flyway:defaultSchema}".effect_queue_update_heads(text[], integer[], boolean[]),
    "${flyway:defaultSchema}".effect_queue_pin_heads(text[], bigint[]),
    "${flyway:defaultSchema}".effect_queue_insert_repo_heads(),
    "${flyway:defaultSchema}".effect_queue_update_repo_heads(),
    "${flyway:defaultSchema}".effect_queue_delete_repo_heads(),
    "${flyway:defaultSchema}".effect_queue_truncate_repo_heads(),
    "${flyway:defaultSchema}".effect_queue_refuse_update()
    FROM PUBLIC;
