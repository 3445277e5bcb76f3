select
  case
    when (
      select "lanequeue"."effect_queue_repo_heads"."repo_id"
      from "lanequeue"."effect_queue_repo_heads"
        cross join lateral (
          select "lowest"."id"
          from "lanequeue"."effect_queue" as "lowest"
          where (
            "lowest"."repo_id" between "lanequeue"."effect_queue_repo_heads"."repo_id" and "lanequeue"."effect_queue_repo_heads"."repo_id"
            and "lowest"."state" = 'enqueued'
          )
          order by "lowest"."repo_id", "lowest"."id"
          fetch next 1 rows only
        ) as "lowest_waiting"
      where (
        "lanequeue"."effect_queue_repo_heads"."repo_id" <> all (
          cast(
            ?
            as text[]
          )
        )
        and "lanequeue"."effect_queue_repo_heads"."in_flight" < ?
      )
      order by "lanequeue"."effect_queue_repo_heads"."head_id" asc nulls first
      fetch next 1 rows only
    ) is not null then "statement_timestamp"()
    else (
      select "scheduled"."scheduled_at"
      from "lanequeue"."effect_queue" as "scheduled"
      where (
        "scheduled"."state" = 'scheduled'
        and "scheduled"."scheduled_at" is not null
      )
      order by "scheduled"."scheduled_at"
      fetch next 1 rows only
    )
  end,
  "statement_timestamp"();
