-- What   Drops dispatch_outbox_user_heads_shard_idx of migration 2.
-- Why    Claims by shard use (logical_shard, available_at) now; an index that nobody reads would be written by every
--        claim and every completion.
-- Locks  CONCURRENTLY: waits for the transactions that use the table, blocks nobody.
-- Time   As long as the longest transaction that uses the table.

DROP INDEX CONCURRENTLY IF EXISTS "${flyway:defaultSchema}".dispatch_outbox_user_heads_shard_idx;
