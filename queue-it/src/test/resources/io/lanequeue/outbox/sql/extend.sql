with
  "fenced" as materialized (
    select "head"."target_user_id"
    from (
      select "given"."lane", "given"."lease"
      from unnest(cast(
        ?
        as bigint[]
      ), cast(
        ?
        as bigint[]
      )) with ordinality as "given" ("lane", "lease", "position")
      order by "given"."lane"
    ) as "sorted"
      cross join lateral (
        select "locked"."target_user_id"
        from "lanequeue"."dispatch_outbox_user_heads" as "locked"
        where (
          "locked"."target_user_id" = "sorted"."lane"
          and "locked"."lease_id" = "sorted"."lease"
        )
        fetch next 1 rows only
        for no key update
      ) as "head"
  )
update "lanequeue"."dispatch_outbox_user_heads"
set
  "available_at" = ("statement_timestamp"() + cast(? as interval day to second))
where "lanequeue"."dispatch_outbox_user_heads"."target_user_id" = any (
  array(
    select "fenced"."target_user_id"
    from "fenced"
  )
)
returning "lanequeue"."dispatch_outbox_user_heads"."target_user_id", "lanequeue"."dispatch_outbox_user_heads"."lease_id", "lanequeue"."dispatch_outbox_user_heads"."available_at";
