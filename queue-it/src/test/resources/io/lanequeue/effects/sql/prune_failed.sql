delete from "lanequeue"."effect_queue"
where "lanequeue"."effect_queue".ctid = any (
  array(
    select "old".ctid
    from "lanequeue"."effect_queue" as "old"
    where (
      "old"."state" = 'failed'
      and "old"."failed_at" <= (
        select ("statement_timestamp"() - cast(? as interval day to second))
      )
    )
    order by "old"."failed_at"
    fetch next (
      select cast(? as bigint)
    ) rows only
    for update skip locked
  )
);
