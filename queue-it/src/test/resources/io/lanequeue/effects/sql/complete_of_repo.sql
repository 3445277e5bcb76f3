with
  "fenced" as materialized (
    select "effect_held"."id", "sorted"."error"
    from (
      select "given"."effect", "given"."claim", "given"."error"
      from unnest(cast(
        ?
        as bigint[]
      ), cast(
        ?
        as bigint[]
      ), cast(
        ?
        as text[]
      )) with ordinality as "given" ("effect", "claim", "error", "position")
      order by "given"."effect"
    ) as "sorted"
      cross join lateral (
        select "held"."id"
        from "lanequeue"."effect_queue" as "held"
        where (
          "held"."id" = "sorted"."effect"
          and "held"."claim_id" = "sorted"."claim"
          and "held"."state" is not distinct from 'claimed'
          and "held"."repo_id" = ?
        )
        fetch next 1 rows only
        for update
      ) as "effect_held"
  )
update "lanequeue"."effect_queue"
set
  "state" = 'done',
  "claim_id" = ?,
  "done_at" = "statement_timestamp"(),
  "last_error" = coalesce(
    nullif("fenced"."error", ''),
    "lanequeue"."effect_queue"."last_error"
  )
from "fenced"
where (
  "lanequeue"."effect_queue"."id" = "fenced"."id"
  and "lanequeue"."effect_queue"."id" = any (
    array(
      select "fenced"."id"
      from "fenced"
    )
  )
)
returning "lanequeue"."effect_queue"."id";
