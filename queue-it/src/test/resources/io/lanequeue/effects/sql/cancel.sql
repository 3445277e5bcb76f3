update "lanequeue"."effect_queue"
set
  "state" = 'failed',
  "failed_at" = "statement_timestamp"(),
  "last_error" = ?
where "lanequeue"."effect_queue"."id" = any (
  array(
    select "waiting"."id"
    from "lanequeue"."effect_queue" as "waiting"
    where (
      "waiting"."id" = any (
        cast(
          ?
          as bigint[]
        )
      )
      and (
        "waiting"."state" is not distinct from 'scheduled'
        or "waiting"."state" is not distinct from 'enqueued'
      )
    )
    order by "waiting"."id"
    for update skip locked
  )
)
returning "lanequeue"."effect_queue"."id";
