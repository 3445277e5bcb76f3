-- What   The columns that make a head claimable, the sequence of its fences, and the indexes of claims.
-- Why    All mutable state of a lane stands on this one narrow row; the event rows are append-only.
-- Locks  ACCESS EXCLUSIVE on dispatch_outbox_user_heads only, until commit. No lock on dispatch_outbox is taken here:
--        held together they would deadlock with appends (outbox, then heads) or with reads of heads before writes.
-- Time   No rewrite (constant defaults); the indexes take about a second for each million lanes, appends wait so long.

CREATE SEQUENCE "${flyway:defaultSchema}".dispatch_outbox_lease_seq AS bigint NO CYCLE CACHE 1;

ALTER TABLE "${flyway:defaultSchema}".dispatch_outbox_user_heads
    ADD COLUMN available_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN lease_id     bigint,
    ADD COLUMN leased_by    text,
    ADD COLUMN attempts     integer     NOT NULL DEFAULT 0,
    ADD COLUMN last_error   text;

-- now() was for the rows that existed: a volatile default would have rewritten the table.
ALTER TABLE "${flyway:defaultSchema}".dispatch_outbox_user_heads
    ALTER COLUMN available_at SET DEFAULT clock_timestamp();

-- Lanes take turns: a claim over all shards walks this one from the longest available lane on.
CREATE INDEX dispatch_outbox_user_heads_available_idx
    ON "${flyway:defaultSchema}".dispatch_outbox_user_heads (available_at);

-- A claim over a set of shards walks this one, so that lanes of other shards cost it nothing.
CREATE INDEX dispatch_outbox_user_heads_shard_available_idx
    ON "${flyway:defaultSchema}".dispatch_outbox_user_heads (logical_shard, available_at);

-- An operator looks for the blocked ones. All are available at the same moment, so the index of claims has no order among them.
CREATE INDEX dispatch_outbox_user_heads_blocked_idx
    ON "${flyway:defaultSchema}".dispatch_outbox_user_heads (target_user_id) WHERE available_at = 'infinity';

-- Heads come and go quickly: dead versions must be taken away long before a fifth of the table is dead. And a drained
-- queue keeps its pages: a statement planned on a table of no pages would scan it all when the next burst has filled it.
-- No fillfactor: available_at is indexed, so that no update of it could stay on its page.
ALTER TABLE "${flyway:defaultSchema}".dispatch_outbox_user_heads SET (
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0,
    vacuum_truncate = off,
    autovacuum_analyze_scale_factor = 0.05);
