delete from "lanequeue"."effect_queue"
where "lanequeue"."effect_queue".ctid = any (
  array(
    select "old".ctid
    from "lanequeue"."effect_queue" as "old"
    where (
      "old"."state" = 'failed'
      and "old"."failed_at" <= (
        select (cast(? as timestamptz) - cast(? as interval day to second))
      )
    )
    order by "old"."failed_at"
    fetch next ? rows only
    for update skip locked
  )
);
