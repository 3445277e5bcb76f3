select
  coalesce("lanequeue"."effect_queue_repo_heads"."repo_id", "truth"."repo_id"),
  "lanequeue"."effect_queue_repo_heads"."head_id",
  "truth"."oldest",
  "lanequeue"."effect_queue_repo_heads"."in_flight",
  coalesce(
    "truth"."claimed",
    0
  )
from (
  select
    "lanequeue"."effect_queue"."repo_id",
    min("lanequeue"."effect_queue"."id") filter (where "lanequeue"."effect_queue"."state" = 'enqueued') as "oldest",
    count(*) filter (where "lanequeue"."effect_queue"."state" = 'claimed') as "claimed"
  from "lanequeue"."effect_queue"
  where (
    "lanequeue"."effect_queue"."state" = 'enqueued'
    or "lanequeue"."effect_queue"."state" = 'claimed'
  )
  group by "lanequeue"."effect_queue"."repo_id"
) as "truth"
  full outer join "lanequeue"."effect_queue_repo_heads"
    on "lanequeue"."effect_queue_repo_heads"."repo_id" = "truth"."repo_id"
where "lanequeue"."effect_queue_repo_heads"."in_flight" is distinct from "truth"."claimed"
order by coalesce("lanequeue"."effect_queue_repo_heads"."repo_id", "truth"."repo_id")
fetch next ? rows only;
