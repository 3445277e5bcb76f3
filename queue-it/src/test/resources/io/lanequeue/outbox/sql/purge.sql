delete from "lanequeue"."dispatch_outbox_dead_letters"
where "lanequeue"."dispatch_outbox_dead_letters".ctid = any (
  array(
    select "oldest".ctid
    from "lanequeue"."dispatch_outbox_dead_letters" as "oldest"
    where "oldest"."discarded_at" <= (
      select ("statement_timestamp"() - cast(? as interval day to second))
    )
    order by "oldest"."discarded_at"
    fetch next (
      select cast(? as bigint)
    ) rows only
    for update skip locked
  )
);
