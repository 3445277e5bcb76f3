-- What the demo's second part keeps of its own: which effects it enqueued, what its dispatchers did with them, and how many
-- were ever in flight. Runs at every start, so everything is created only where it is missing.

CREATE SCHEMA IF NOT EXISTS lanequeue_demo;

-- Written in the transaction that enqueues the effect: the row is here if and only if the effect was enqueued.
CREATE TABLE IF NOT EXISTS lanequeue_demo.effects (
    effect_id bigint PRIMARY KEY,
    repo_id   text NOT NULL
);

-- Written by a dispatcher for each effect that it claimed, before it reports the outcome; handled says whether the job was
-- done. The times are the queue's own: since when the effect had been waiting, and when it was claimed.
CREATE TABLE IF NOT EXISTS lanequeue_demo.effect_attempts (
    effect_id   bigint           NOT NULL,
    repo_id     text             NOT NULL,
    dispatcher  text             NOT NULL,
    attempt     integer          NOT NULL,
    handled     boolean          NOT NULL,
    enqueued_at timestamptz      NOT NULL,
    claimed_at  timestamptz      NOT NULL,
    waited_ms   double precision GENERATED ALWAYS AS (extract(epoch FROM claimed_at - enqueued_at) * 1000) STORED
);

-- The highest number in flight that a repository's head ever had, in any transaction: kept by the trigger below, not by
-- those whose cap it is.
CREATE TABLE IF NOT EXISTS lanequeue_demo.effect_peaks (
    repo_id   text    PRIMARY KEY,
    in_flight integer NOT NULL
);

CREATE OR REPLACE FUNCTION lanequeue_demo.record_peak() RETURNS trigger
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $demo$
BEGIN
    INSERT INTO lanequeue_demo.effect_peaks AS p (repo_id, in_flight)
    VALUES (NEW.repo_id, NEW.in_flight)
    ON CONFLICT (repo_id) DO UPDATE SET in_flight = excluded.in_flight WHERE p.in_flight < excluded.in_flight;
    RETURN NULL;
END
$demo$;

-- Only what goes up: claims that a killed demo left count from the next claim on, under the cap of that one. Dropped when
-- the demo ends.
CREATE OR REPLACE TRIGGER lanequeue_demo_added_head
    AFTER INSERT ON lanequeue.effect_queue_repo_heads
    FOR EACH ROW WHEN (NEW.in_flight > 0)
    EXECUTE FUNCTION lanequeue_demo.record_peak();

CREATE OR REPLACE TRIGGER lanequeue_demo_raised_head
    AFTER UPDATE ON lanequeue.effect_queue_repo_heads
    FOR EACH ROW WHEN (NEW.in_flight > OLD.in_flight)
    EXECUTE FUNCTION lanequeue_demo.record_peak();
