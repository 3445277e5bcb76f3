-- What   dispatch_outbox_dead_letters: what operators took out of a lane, with the reason, until it is redriven.
-- Why    Nothing that is discarded may be lost.
-- Locks  None on tables that exist.
-- Time   Milliseconds: everything is new.

CREATE TABLE "${flyway:defaultSchema}".dispatch_outbox_dead_letters (
    id             bigint      PRIMARY KEY,
    target_user_id bigint      NOT NULL,
    pts            integer     NOT NULL,
    event_type     text        NOT NULL,
    payload        jsonb       NOT NULL,
    created_at     timestamptz NOT NULL,
    attempts       integer     NOT NULL,
    last_error     text,
    reason         text        NOT NULL,
    discarded_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);

COMMENT ON COLUMN "${flyway:defaultSchema}".dispatch_outbox_dead_letters.id IS 'the id the event had in dispatch_outbox';

CREATE INDEX dispatch_outbox_dead_letters_lane_idx
    ON "${flyway:defaultSchema}".dispatch_outbox_dead_letters (target_user_id, id) WHERE target_user_id >= 0;
CREATE INDEX dispatch_outbox_dead_letters_discarded_at_idx
    ON "${flyway:defaultSchema}".dispatch_outbox_dead_letters (discarded_at);
