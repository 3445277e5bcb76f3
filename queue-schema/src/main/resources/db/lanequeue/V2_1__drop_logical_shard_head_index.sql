-- What   Drops the expression index that claims used before there were heads.
-- Why    A migration of its own, outside a transaction: DROP INDEX needs ACCESS EXCLUSIVE, and after the lock of
--        migration 2 it would deadlock with any transaction that reads the outbox and then writes it.
-- Locks  CONCURRENTLY: waits for the transactions that use the table, blocks nobody.
-- Deploy consumers that find lanes by heads before this one.

DROP INDEX CONCURRENTLY IF EXISTS "${flyway:defaultSchema}".dispatch_outbox_logical_shard_head_idx;
