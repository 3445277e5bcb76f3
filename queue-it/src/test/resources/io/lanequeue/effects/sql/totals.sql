select
  count("oldest"."id"),
  coalesce(
    sum("lanequeue"."effect_queue_repo_heads"."in_flight"),
    0
  ),
  (
    select count(*)
    from (
      select 1 as "one"
      from "lanequeue"."effect_queue"
      where (
        "lanequeue"."effect_queue"."state" = 'failed'
        and "lanequeue"."effect_queue"."failed_at" is not null
      )
      order by "lanequeue"."effect_queue"."failed_at"
      fetch next (
        select cast(? as bigint)
      ) rows only
    ) as "counted"
  ),
  least(
    min("oldest"."enqueued_at"),
    (
      select "lanequeue"."effect_queue"."scheduled_at"
      from "lanequeue"."effect_queue"
      where (
        "lanequeue"."effect_queue"."state" = 'scheduled'
        and "lanequeue"."effect_queue"."scheduled_at" is not null
        and "lanequeue"."effect_queue"."scheduled_at" <= "statement_timestamp"()
      )
      order by "lanequeue"."effect_queue"."scheduled_at"
      fetch next 1 rows only
    )
  ),
  (
    select "lanequeue"."effect_queue"."claimed_at"
    from "lanequeue"."effect_queue"
    where (
      "lanequeue"."effect_queue"."state" = 'claimed'
      and "lanequeue"."effect_queue"."claimed_at" is not null
    )
    order by "lanequeue"."effect_queue"."claimed_at"
    fetch next 1 rows only
  ),
  "statement_timestamp"()
from "lanequeue"."effect_queue_repo_heads"
  left outer join lateral (
    select "lanequeue"."effect_queue"."id", "lanequeue"."effect_queue"."enqueued_at"
    from "lanequeue"."effect_queue"
    where (
      "lanequeue"."effect_queue"."repo_id" between "lanequeue"."effect_queue_repo_heads"."repo_id" and "lanequeue"."effect_queue_repo_heads"."repo_id"
      and "lanequeue"."effect_queue"."state" = 'enqueued'
    )
    order by "lanequeue"."effect_queue"."repo_id", "lanequeue"."effect_queue"."id"
    fetch next 1 rows only
  ) as "oldest"
    on true;
