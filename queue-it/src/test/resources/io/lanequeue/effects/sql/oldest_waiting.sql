select
  "lanequeue"."effect_queue_repo_heads"."repo_id",
  "oldest"."id",
  "oldest"."enqueued_at",
  "statement_timestamp"(),
  "lanequeue"."effect_queue_repo_heads"."in_flight"
from "lanequeue"."effect_queue_repo_heads"
  cross join lateral (
    select "lanequeue"."effect_queue"."id", "lanequeue"."effect_queue"."enqueued_at"
    from "lanequeue"."effect_queue"
    where (
      "lanequeue"."effect_queue"."repo_id" between "lanequeue"."effect_queue_repo_heads"."repo_id" and "lanequeue"."effect_queue_repo_heads"."repo_id"
      and "lanequeue"."effect_queue"."state" = 'enqueued'
    )
    order by "lanequeue"."effect_queue"."repo_id", "lanequeue"."effect_queue"."id"
    fetch next 1 rows only
  ) as "oldest"
order by "oldest"."enqueued_at", "oldest"."id"
fetch next ? rows only;
