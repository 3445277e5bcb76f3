-- What   Drops the expression index that claims used before there were heads.
-- Why    A migration of its own, outside a transaction: DROP INDEX needs ACCESS EXCLUSIVE, and after the lock of
--        migration 2 it would deadlock with any transaction that reads the outbox and then writes it.
-- Locks  CONCURRENTLY: waits for the transactions that use the table, blocks nobody.
-- Time   As long as the longest transaction that uses the table.
-- LanequeueSchema runs all migrations. Who must deploy consumers of heads before this one runs the files with a Flyway of
-- their own, up to a target.

DROP INDEX CONCURRENTLY IF EXISTS "${flyway:defaultSchema}".dispatch_outbox_logical_shard_head_idx;
