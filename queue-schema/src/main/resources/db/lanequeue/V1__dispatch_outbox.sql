-- What   The dispatch outbox: events for users, ordered per user by (pts, id).
-- Why    Appended in the producer's transaction, deleted when delivered, never updated.
--        Claims find the first event of each user by the expression index; migration 2 replaces that by heads.
-- Locks  None on tables that exist.
-- Time   Milliseconds: everything is new.

CREATE TABLE "${flyway:defaultSchema}".dispatch_outbox (
    id             bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    target_user_id bigint      NOT NULL CONSTRAINT dispatch_outbox_target_user_id_check CHECK (target_user_id >= 0),
    pts            integer     NOT NULL CONSTRAINT dispatch_outbox_pts_check CHECK (pts >= 0),
    event_type     text        NOT NULL,
    payload        jsonb       NOT NULL,
    created_at     timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX dispatch_outbox_lane_idx
    ON "${flyway:defaultSchema}".dispatch_outbox (target_user_id, pts, id);

CREATE INDEX dispatch_outbox_logical_shard_head_idx
    ON "${flyway:defaultSchema}".dispatch_outbox (mod(target_user_id, 256::bigint), target_user_id, pts, id);
