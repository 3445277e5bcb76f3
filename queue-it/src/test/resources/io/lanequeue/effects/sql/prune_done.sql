delete from "lanequeue"."effect_queue"
where "lanequeue"."effect_queue".ctid = any (
  array(
    select "old".ctid
    from "lanequeue"."effect_queue" as "old"
    where (
      "old"."state" = 'done'
      and "old"."done_at" <= (
        select ("statement_timestamp"() - cast(? as interval day to second))
      )
    )
    order by "old"."done_at"
    fetch next (
      select cast(? as bigint)
    ) rows only
    for update skip locked
  )
);
