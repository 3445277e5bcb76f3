-- What   effect_queue_promote_due(): enqueues scheduled effects that have become due.
-- Why    Every claim calls it, so it must wait for nobody. The head of a repository may be in the hands of a transaction that
--        adds or removes it; effects of that repository are left for the next call. No statement can skip a row that another
--        transaction is inserting, so here a wait is cut short, and after a few such waits the rest is left too.
-- Locks  None on tables that exist. A call locks effects FOR UPDATE and heads FOR KEY SHARE, skipping those that others hold.

-- Enqueues up to max_effects effects that are due at the given moment. Returns how many; 0 also where the time limit struck,
-- which on a busy server may be for want of a page.
CREATE FUNCTION "${flyway:defaultSchema}".effect_queue_promote_due(now_at timestamptz, max_effects integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp
    SET enable_seqscan = off
    SET lock_timeout = '5ms' AS $lanequeue$
DECLARE
    most_waits CONSTANT integer := 4;
    due      bigint[];
    repos    text[];
    firsts   bigint[]; -- the lowest due effect of each of these repositories
    ready    text[];
    in_hands text[] := ARRAY[]::text[];
    known    integer;
    waits    integer := 0;
    repo     text;
    first    bigint;
    promoted integer;
BEGIN
    LOOP
        -- Behind subqueries, so that the planner walks the index in its order, even where it believes that little is
        -- due.
        WITH d AS MATERIALIZED (
            SELECT e.id, e.repo_id
            FROM "${flyway:defaultSchema}".effect_queue e
            WHERE e.state = 'scheduled' AND e.scheduled_at <= (SELECT now_at) AND e.repo_id <> ALL (in_hands)
            ORDER BY e.scheduled_at
            LIMIT (SELECT max_effects)
            FOR UPDATE SKIP LOCKED)
        SELECT (SELECT array_agg(d.id) FROM d), array_agg(r.repo_id ORDER BY r.repo_id), array_agg(r.first ORDER BY r.repo_id)
        INTO due, repos, firsts
        FROM (SELECT d.repo_id, min(d.id) AS first FROM d GROUP BY d.repo_id) r;
        IF due IS NULL THEN
            RETURN 0;
        END IF;

        known := cardinality(in_hands);
        BEGIN
            ready := ARRAY (
                SELECT h.repo_id
                FROM (SELECT u.repo FROM unnest(repos) u (repo) ORDER BY 1) o
                CROSS JOIN LATERAL (SELECT x.repo_id
                                    FROM "${flyway:defaultSchema}".effect_queue_repo_heads x
                                    WHERE x.repo_id = o.repo
                                    LIMIT 1
                                    FOR KEY SHARE SKIP LOCKED) h);
            -- With its effect: a head without a known one has no place in the order of age.
            WITH added AS (
                INSERT INTO "${flyway:defaultSchema}".effect_queue_repo_heads (repo_id, head_id)
                SELECT u.repo, u.first
                FROM unnest(repos, firsts) u (repo, first)
                WHERE u.repo <> ALL (ready)
                ORDER BY u.repo
                ON CONFLICT (repo_id) DO NOTHING
                RETURNING repo_id)
            SELECT ready || array_agg(a.repo_id) INTO ready FROM added a;
            in_hands := in_hands || ARRAY (SELECT u.repo FROM unnest(repos) u (repo) WHERE u.repo <> ALL (ready));
        EXCEPTION WHEN lock_not_available THEN
            -- Repository by repository, so that one in somebody's hands holds up no other. SKIP LOCKED does not reach
            -- everywhere (see docs/protocol.md), and nothing skips a row that is being inserted: the time limit does. In
            -- another order each time, so that those behind which a call gives up are not always the same.
            ready := ARRAY[]::text[];
            FOR repo, first IN SELECT u.repo, u.first FROM unnest(repos, firsts) u (repo, first) ORDER BY random() LOOP
                EXIT WHEN waits = most_waits;
                BEGIN
                    PERFORM 1 FROM "${flyway:defaultSchema}".effect_queue_repo_heads h WHERE h.repo_id = repo FOR KEY SHARE SKIP LOCKED;
                    IF NOT FOUND THEN
                        INSERT INTO "${flyway:defaultSchema}".effect_queue_repo_heads (repo_id, head_id) VALUES (repo, first)
                        ON CONFLICT (repo_id) DO NOTHING;
                    END IF;
                    IF FOUND THEN
                        ready := ready || repo;
                    ELSE
                        in_hands := in_hands || repo;
                    END IF;
                EXCEPTION WHEN lock_not_available THEN
                    in_hands := in_hands || repo;
                    waits := waits + 1;
                END;
            END LOOP;
        END;
        -- Again without those in somebody's hands, whose effects may have filled the limit.
        EXIT WHEN cardinality(in_hands) = known OR waits = most_waits;
    END LOOP;

    UPDATE "${flyway:defaultSchema}".effect_queue e
    SET state = 'enqueued', enqueued_at = clock_timestamp()
    WHERE e.id = ANY (due) AND e.repo_id = ANY (ready);
    GET DIAGNOSTICS promoted = ROW_COUNT;
    RETURN promoted;
EXCEPTION WHEN lock_not_available THEN
    -- Next time. Around all of it: so no head is left that nothing stands behind, nor one that an open repair, which holds the
    -- table, would wait for.
    RETURN 0;
END
$lanequeue$;

REVOKE EXECUTE ON FUNCTION "${flyway:defaultSchema}".effect_queue_promote_due(timestamptz, integer) FROM PUBLIC;
