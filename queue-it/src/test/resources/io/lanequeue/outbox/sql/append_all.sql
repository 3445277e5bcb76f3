insert into "lanequeue"."dispatch_outbox" ("target_user_id", "pts", "event_type", "payload")
select "n"."target_user_id", "n"."pts", "n"."event_type", "n"."payload"
from unnest(cast(
  ?
  as bigint[]
), cast(
  ?
  as int[]
), cast(
  ?
  as text[]
), cast(
  ?
  as jsonb[]
)) with ordinality as "n" (
  "target_user_id",
  "pts",
  "event_type",
  "payload",
  "position"
)
order by "n"."position"
returning "lanequeue"."dispatch_outbox"."id";
