select
  "lanequeue"."effect_queue"."id",
  "lanequeue"."effect_queue"."repo_id",
  "lanequeue"."effect_queue"."payload",
  "lanequeue"."effect_queue"."attempts",
  "lanequeue"."effect_queue"."last_error",
  "lanequeue"."effect_queue"."failed_at"
from "lanequeue"."effect_queue"
where (
  "lanequeue"."effect_queue"."repo_id" between ? and ?
  and "lanequeue"."effect_queue"."state" = 'failed'
  and "lanequeue"."effect_queue"."id" > ?
)
order by "lanequeue"."effect_queue"."repo_id", "lanequeue"."effect_queue"."id"
fetch next (
  select cast(? as bigint)
) rows only;
