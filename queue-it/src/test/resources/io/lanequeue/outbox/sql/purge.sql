delete from "lanequeue"."dispatch_outbox_dead_letters"
where "lanequeue"."dispatch_outbox_dead_letters".ctid = any (
  array(
    select "oldest".ctid
    from "lanequeue"."dispatch_outbox_dead_letters" as "oldest"
    where "oldest"."discarded_at" <= ("statement_timestamp"() - cast(? as interval day to second))
    order by "oldest"."discarded_at"
    fetch next ? rows only
    for update skip locked
  )
);
