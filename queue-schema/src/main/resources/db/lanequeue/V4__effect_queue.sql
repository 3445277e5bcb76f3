-- What   The effect queue: jobs ("effects") of repositories, at least once.
-- Why    Enqueued in the producer's transaction; claimed, completed, retried and failed by fenced statements.
-- Locks  None on tables that exist.

CREATE TABLE "${flyway:defaultSchema}".effect_queue (
    id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    repo_id      text        NOT NULL,
    payload      text        NOT NULL,
    state        text        NOT NULL CONSTRAINT effect_queue_state_check
                             CHECK (state IN ('scheduled', 'enqueued', 'claimed', 'done', 'failed')),
    claimed_by   text,
    enqueued_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    claimed_at   timestamptz,
    done_at      timestamptz,
    claim_id     bigint,
    attempts     integer     NOT NULL DEFAULT 0,
    scheduled_at timestamptz,
    failed_at    timestamptz,
    last_error   text,
    dedupe_key   text
);

-- Each state has the index that its statements walk, and a row is in the one of its state only. IS NOT NULL is always true there;
-- a look by id and state does not say it, so that the planner cannot take the whole of such an index for the look.
CREATE INDEX effect_queue_enqueued_idx ON "${flyway:defaultSchema}".effect_queue (repo_id, id) WHERE state = 'enqueued';
CREATE INDEX effect_queue_scheduled_idx ON "${flyway:defaultSchema}".effect_queue (scheduled_at) WHERE state = 'scheduled' AND scheduled_at IS NOT NULL;
CREATE INDEX effect_queue_scheduled_repo_idx ON "${flyway:defaultSchema}".effect_queue (repo_id, id) WHERE state = 'scheduled' AND repo_id IS NOT NULL;
CREATE INDEX effect_queue_claimed_idx ON "${flyway:defaultSchema}".effect_queue (claimed_at) WHERE state = 'claimed' AND claimed_at IS NOT NULL;
CREATE INDEX effect_queue_done_idx ON "${flyway:defaultSchema}".effect_queue (done_at) WHERE state = 'done' AND done_at IS NOT NULL;
CREATE INDEX effect_queue_failed_idx ON "${flyway:defaultSchema}".effect_queue (repo_id, id) WHERE state = 'failed' AND repo_id IS NOT NULL;
CREATE INDEX effect_queue_failed_at_idx ON "${flyway:defaultSchema}".effect_queue (failed_at) WHERE state = 'failed' AND failed_at IS NOT NULL;

-- While an effect with a key waits, no second one of that repository and key is added.
CREATE UNIQUE INDEX effect_queue_dedupe_idx ON "${flyway:defaultSchema}".effect_queue (repo_id, dedupe_key)
    WHERE dedupe_key IS NOT NULL AND state IN ('scheduled', 'enqueued');

CREATE SEQUENCE "${flyway:defaultSchema}".effect_queue_claim_seq AS bigint NO CYCLE CACHE 1;

-- As for the outbox in migration 3: effects change state quickly, and a drained queue keeps its pages.
ALTER TABLE "${flyway:defaultSchema}".effect_queue SET (
    autovacuum_vacuum_scale_factor = 0.05,
    autovacuum_vacuum_cost_delay = 0,
    vacuum_truncate = off,
    autovacuum_analyze_scale_factor = 0.05);
