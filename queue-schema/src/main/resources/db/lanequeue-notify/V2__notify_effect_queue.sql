-- What   Optional: a statement trigger that notifies for enqueued effects, as the one on dispatch_outbox does for appends.
-- Why    Workers that listen find new work at once instead of at their next look.
-- Locks  SHARE ROW EXCLUSIVE on effect_queue, for a moment: writers wait, readers do not.

CREATE TRIGGER effect_queue_notify AFTER INSERT ON "${flyway:defaultSchema}".effect_queue
    FOR EACH STATEMENT EXECUTE FUNCTION "${flyway:defaultSchema}".notify_workers();
