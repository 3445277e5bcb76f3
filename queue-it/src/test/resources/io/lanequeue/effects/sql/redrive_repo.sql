select "effect_queue_put_back"."effect_id", "effect_queue_put_back"."superseded_by"
from "lanequeue"."effect_queue_put_back"(
  array(
    select "lanequeue"."effect_queue"."id"
    from "lanequeue"."effect_queue"
    where (
      "lanequeue"."effect_queue"."repo_id" between ? and ?
      and "lanequeue"."effect_queue"."state" = 'failed'
    )
    order by "lanequeue"."effect_queue"."repo_id", "lanequeue"."effect_queue"."id"
    fetch next (
      select cast(? as bigint)
    ) rows only
  ),
  cast(
    ?
    as bigint[]
  ),
  cast(
    ?
    as timestamp with time zone[]
  ),
  cast(
    ?
    as text[]
  ),
  cast(
    ?
    as int[]
  ),
  cast(null as int)
);
