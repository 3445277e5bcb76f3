-- The demo's own tables: which lines of which file were appended as which events, and what the handler delivered.
-- Runs at every start, so everything is created only where it is missing.

CREATE SCHEMA IF NOT EXISTS lanequeue_demo;

-- One row per run. A run that was killed has no finished_at; the next start with the same file goes on with it.
CREATE TABLE IF NOT EXISTS lanequeue_demo.runs (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    file_name   text        NOT NULL,
    file_digest text        NOT NULL,
    released    text, -- the blocked lane, once the operator released it
    started_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    finished_at timestamptz,
    check_held  boolean
);

-- Written in the transaction that appends the event: the line is here if and only if the event was appended.
CREATE TABLE IF NOT EXISTS lanequeue_demo.lines (
    run_id   bigint  NOT NULL,
    line     integer NOT NULL,
    event_id bigint  NOT NULL,
    lane     bigint  NOT NULL,
    pts      integer NOT NULL,
    PRIMARY KEY (run_id, line)
);

-- Written by the handler, one row per delivery; seq is the order of the deliveries of a lane.
CREATE TABLE IF NOT EXISTS lanequeue_demo.deliveries (
    seq          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id       bigint      NOT NULL,
    event_id     bigint      NOT NULL,
    lane         bigint      NOT NULL,
    worker       text        NOT NULL,
    delivered_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
