-- What   dispatch_outbox_user_heads: one row per lane (user with a backlog), naming its first event.
-- Why    Finding the first event of each lane costs time with the backlog; a head costs the same at any backlog.
-- Locks  SHARE ROW EXCLUSIVE on dispatch_outbox until commit: writers wait, readers do not. The lock comes before the
--        backfill, so that every event is either seen by the backfill or comes after the triggers.
-- Time   One pass over dispatch_outbox_lane_idx: about a second for each million events.
-- Consumers that find lanes by the expression index keep working until migration 2.1 drops it.

-- The backfill must see what committed while the lock was waited for. At REPEATABLE READ its snapshot is older.
DO $lanequeue$
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'migration 2 must run at READ COMMITTED, not at %', current_setting('transaction_isolation')
            USING ERRCODE = 'invalid_transaction_state',
                  HINT = 'Run it through LanequeueSchema, or set default_transaction_isolation to read committed.';
    END IF;
END
$lanequeue$;

LOCK TABLE "${flyway:defaultSchema}".dispatch_outbox IN SHARE ROW EXCLUSIVE MODE;

CREATE TABLE "${flyway:defaultSchema}".dispatch_outbox_user_heads (
    target_user_id bigint   PRIMARY KEY,
    head_id        bigint   NOT NULL,
    head_pts       integer  NOT NULL CONSTRAINT dispatch_outbox_user_heads_head_pts_check CHECK (head_pts >= 0),
    logical_shard  smallint NOT NULL GENERATED ALWAYS AS (mod(target_user_id, 256::bigint)::smallint) STORED
);

CREATE INDEX dispatch_outbox_user_heads_shard_idx
    ON "${flyway:defaultSchema}".dispatch_outbox_user_heads (logical_shard, target_user_id);

INSERT INTO "${flyway:defaultSchema}".dispatch_outbox_user_heads (target_user_id, head_id, head_pts)
SELECT DISTINCT ON (target_user_id) target_user_id, id, pts
FROM "${flyway:defaultSchema}".dispatch_outbox
ORDER BY target_user_id, pts, id;

-- Keeps the head of the lane of one inserted or deleted event.
--
-- Insert: a lower head is locked FOR KEY SHARE, so that nobody removes it before this transaction ends; else the new
-- event becomes the head.
-- Delete of a head: the lane's next visible event becomes the head. Where none is visible the row goes, unless an open
-- insert holds it. Lock in one statement, decide in the next: after a lock wait a statement re-reads the locked row
-- only, not the events. Above READ COMMITTED there is no next snapshot, so the head stays and dangles; and the head of
-- the lane is locked whatever it names, so that one that moved since the snapshot is refused (40001), not missed.
CREATE FUNCTION "${flyway:defaultSchema}".dispatch_outbox_maintain_user_head() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $lanequeue$
DECLARE
    read_committed boolean := current_setting('transaction_isolation') IN ('read committed', 'read uncommitted');
    next_id        bigint;
    next_pts       integer;
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM 1 FROM "${flyway:defaultSchema}".dispatch_outbox_user_heads h
        WHERE h.target_user_id = NEW.target_user_id AND (h.head_pts, h.head_id) < (NEW.pts, NEW.id)
        FOR KEY SHARE;
        IF NOT FOUND THEN
            INSERT INTO "${flyway:defaultSchema}".dispatch_outbox_user_heads AS h (target_user_id, head_id, head_pts)
            VALUES (NEW.target_user_id, NEW.id, NEW.pts)
            ON CONFLICT (target_user_id) DO UPDATE
            SET head_id = EXCLUDED.head_id, head_pts = EXCLUDED.head_pts
            WHERE (EXCLUDED.head_pts, EXCLUDED.head_id) < (h.head_pts, h.head_id);
        END IF;
        RETURN NULL;
    END IF;

    PERFORM 1 FROM "${flyway:defaultSchema}".dispatch_outbox_user_heads h
    WHERE h.target_user_id = OLD.target_user_id AND (h.head_id = OLD.id OR NOT read_committed)
    FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;

    SELECT o.id, o.pts INTO next_id, next_pts
    FROM "${flyway:defaultSchema}".dispatch_outbox o
    WHERE o.target_user_id = OLD.target_user_id
    ORDER BY o.pts, o.id
    LIMIT 1;
    IF FOUND THEN
        UPDATE "${flyway:defaultSchema}".dispatch_outbox_user_heads h
        SET head_id = next_id, head_pts = next_pts
        WHERE h.target_user_id = OLD.target_user_id AND h.head_id = OLD.id;
        RETURN NULL;
    END IF;

    IF read_committed THEN
        PERFORM 1 FROM "${flyway:defaultSchema}".dispatch_outbox_user_heads h
        WHERE h.target_user_id = OLD.target_user_id AND h.head_id = OLD.id
        FOR UPDATE SKIP LOCKED;
        IF FOUND THEN
            DELETE FROM "${flyway:defaultSchema}".dispatch_outbox_user_heads h
            WHERE h.target_user_id = OLD.target_user_id;
            INSERT INTO "${flyway:defaultSchema}".dispatch_outbox_user_heads (target_user_id, head_id, head_pts)
            SELECT o.target_user_id, o.id, o.pts
            FROM "${flyway:defaultSchema}".dispatch_outbox o
            WHERE o.target_user_id = OLD.target_user_id
            ORDER BY o.pts, o.id
            LIMIT 1;
        END IF;
    END IF;
    RETURN NULL;
END
$lanequeue$;

-- It runs with its owner's rights: nobody else may hang it on a table of theirs.
REVOKE EXECUTE ON FUNCTION "${flyway:defaultSchema}".dispatch_outbox_maintain_user_head() FROM PUBLIC;

CREATE TRIGGER dispatch_outbox_insert_user_head
    AFTER INSERT ON "${flyway:defaultSchema}".dispatch_outbox
    FOR EACH ROW EXECUTE FUNCTION "${flyway:defaultSchema}".dispatch_outbox_maintain_user_head();

CREATE TRIGGER dispatch_outbox_delete_user_head
    AFTER DELETE ON "${flyway:defaultSchema}".dispatch_outbox
    FOR EACH ROW EXECUTE FUNCTION "${flyway:defaultSchema}".dispatch_outbox_maintain_user_head();
