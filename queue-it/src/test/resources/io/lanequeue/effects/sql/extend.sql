with
  "fenced" as materialized (
    select "effect_held"."id"
    from (
      select "given"."effect", "given"."claim"
      from unnest(cast(
        ?
        as bigint[]
      ), cast(
        ?
        as bigint[]
      )) with ordinality as "given" ("effect", "claim", "position")
      order by "given"."effect"
    ) as "sorted"
      cross join lateral (
        select "held"."id"
        from "lanequeue"."effect_queue" as "held"
        where (
          "held"."id" = "sorted"."effect"
          and "held"."claim_id" = "sorted"."claim"
          and "held"."state" is not distinct from 'claimed'
        )
        fetch next 1 rows only
        for update
      ) as "effect_held"
  )
update "lanequeue"."effect_queue"
set
  "claimed_at" = "statement_timestamp"()
where "lanequeue"."effect_queue"."id" = any (
  array(
    select "fenced"."id"
    from "fenced"
  )
)
returning "lanequeue"."effect_queue"."id", "lanequeue"."effect_queue"."claim_id", "lanequeue"."effect_queue"."claimed_at";
