insert into "lanequeue"."effect_queue" (
  "repo_id",
  "payload",
  "state",
  "scheduled_at",
  "dedupe_key"
)
select
  "n"."repo_id",
  "n"."payload",
  case
    when "n"."delay" is null then 'enqueued'
    else 'scheduled'
  end,
  ("statement_timestamp"() + "n"."delay"),
  "n"."dedupe_key"
from unnest(cast(
  ?
  as text[]
), cast(
  ?
  as text[]
), cast(
  ?
  as interval day to second[]
), cast(
  ?
  as text[]
)) with ordinality as "n" (
  "repo_id",
  "payload",
  "delay",
  "dedupe_key",
  "position"
)
order by "n"."position"
on conflict ("repo_id", "dedupe_key")
where (
  "dedupe_key" is not null
  and "state" in (
    'scheduled', 'enqueued'
  )
)
do update
set
  "dedupe_key" = excluded."dedupe_key"
returning 
  "lanequeue"."effect_queue"."id",
  "lanequeue"."effect_queue"."repo_id",
  "lanequeue"."effect_queue"."dedupe_key",
  ("lanequeue"."effect_queue".xmax = 0);
