-- What   effect_queue_promote_due(): enqueues scheduled effects that have become due.
-- Why    Every claim calls it, so it must wait for nobody. The head of a repository may be in the hands of a transaction that
--        adds or removes it; effects of that repository are left for the next call. No statement can skip a row that another
--        transaction is inserting, so here a wait is cut short.
-- Locks  None on tables that exist. A call locks effects FOR UPDATE and heads FOR KEY SHARE, skipping those that others hold.

-- Enqueues up to max_effects effects that are due at the given moment. Returns how many; 0 also where the time limit struck,
-- which on a busy server may be for want of a page.
CREATE FUNCTION "${flyway:defaultSchema}".effect_queue_promote_due(now_at timestamptz, max_effects integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off
    SET lock_timeout = '5ms' AS $lanequeue$
DECLARE
    due      bigint[];
    repos    text[];
    ready    text[];
    in_hands text[] := ARRAY[]::text[];
    known    integer;
    repo     text;
    promoted integer;
BEGIN
    LOOP
        BEGIN
            -- Behind subqueries, so that the planner walks the index in its order, even where it believes that little is
            -- due.
            SELECT array_agg(d.id), array_agg(DISTINCT d.repo_id) INTO due, repos
            FROM (SELECT e.id, e.repo_id
                  FROM "${flyway:defaultSchema}".effect_queue e
                  WHERE e.state = 'scheduled' AND e.scheduled_at <= (SELECT now_at) AND e.repo_id <> ALL (in_hands)
                  ORDER BY e.scheduled_at
                  LIMIT (SELECT max_effects)
                  FOR UPDATE SKIP LOCKED) d;
        EXCEPTION WHEN lock_not_available THEN
            RETURN 0; -- next time
        END;
        IF due IS NULL THEN
            RETURN 0;
        END IF;

        -- Repository by repository, so that one in somebody's hands holds up no other. SKIP LOCKED does not reach
        -- everywhere (see docs/protocol.md), and nothing skips a row that is being inserted: the time limit does.
        ready := ARRAY[]::text[];
        known := cardinality(in_hands);
        FOREACH repo IN ARRAY repos LOOP
            BEGIN
                PERFORM 1 FROM "${flyway:defaultSchema}".effect_queue_repo_heads h WHERE h.repo_id = repo FOR KEY SHARE SKIP LOCKED;
                IF NOT FOUND THEN
                    INSERT INTO "${flyway:defaultSchema}".effect_queue_repo_heads (repo_id) VALUES (repo) ON CONFLICT (repo_id) DO NOTHING;
                END IF;
                IF FOUND THEN
                    ready := ready || repo;
                ELSE
                    in_hands := in_hands || repo;
                END IF;
            EXCEPTION WHEN lock_not_available THEN
                in_hands := in_hands || repo;
            END;
        END LOOP;
        -- Again without those in somebody's hands, whose effects may have filled the limit.
        EXIT WHEN cardinality(in_hands) = known;
    END LOOP;

    BEGIN
        UPDATE "${flyway:defaultSchema}".effect_queue e
        SET state = 'enqueued', enqueued_at = clock_timestamp()
        WHERE e.id = ANY (due) AND e.repo_id = ANY (ready);
        GET DIAGNOSTICS promoted = ROW_COUNT;
    EXCEPTION WHEN lock_not_available THEN
        RETURN 0; -- next time
    END;
    RETURN promoted;
END
$lanequeue$;

REVOKE EXECUTE ON FUNCTION "${flyway:defaultSchema}".effect_queue_promote_due(timestamptz, integer) FROM PUBLIC;
