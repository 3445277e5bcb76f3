-- What   Optional: a function that notifies on the channel of the schema's name, with the table's name as payload, and a statement
--        trigger that calls it for appends.
-- Why    Workers that listen find new work at once instead of at their next look. Within a transaction PostgreSQL sends equal
--        notifications once. Transactions that notify are committed one after the other, in the whole cluster.
-- Locks  SHARE ROW EXCLUSIVE on dispatch_outbox, for a moment: writers wait, readers do not. The next migration has the other table:
--        who held one and waited for the other could deadlock with a transaction that writes to both.

CREATE FUNCTION "${flyway:defaultSchema}".notify_workers() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $lanequeue$
BEGIN
    PERFORM pg_notify(TG_TABLE_SCHEMA, TG_TABLE_NAME);
    RETURN NULL;
END
$lanequeue$;

REVOKE EXECUTE ON FUNCTION "${flyway:defaultSchema}".notify_workers() FROM PUBLIC;

CREATE TRIGGER dispatch_outbox_notify AFTER INSERT ON "${flyway:defaultSchema}".dispatch_outbox
    FOR EACH STATEMENT EXECUTE FUNCTION "${flyway:defaultSchema}".notify_workers();
