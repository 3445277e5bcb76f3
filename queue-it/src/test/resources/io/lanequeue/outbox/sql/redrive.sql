with
  "taken" as materialized (
    select "dead_letter"."id"
    from (
      select "given"."id"
      from unnest(cast(
        ?
        as bigint[]
      )) with ordinality as "given" ("id", "position")
      order by "given"."id"
    ) as "asked"
      cross join lateral (
        select "letter"."id"
        from "lanequeue"."dispatch_outbox_dead_letters" as "letter"
        where "letter"."id" = "asked"."id"
        fetch next 1 rows only
        for update
      ) as "dead_letter"
  ),
  "removed" as (
    delete from "lanequeue"."dispatch_outbox_dead_letters"
    using "taken"
    where (
      "lanequeue"."dispatch_outbox_dead_letters"."id" = "taken"."id"
      and "lanequeue"."dispatch_outbox_dead_letters"."id" = any (
        array(
          select "taken"."id"
          from "taken"
        )
      )
    )
    returning 
      "lanequeue"."dispatch_outbox_dead_letters"."id",
      "lanequeue"."dispatch_outbox_dead_letters"."target_user_id",
      "lanequeue"."dispatch_outbox_dead_letters"."pts",
      "lanequeue"."dispatch_outbox_dead_letters"."event_type",
      "lanequeue"."dispatch_outbox_dead_letters"."payload"
  ),
  "appended" as (
    insert into "lanequeue"."dispatch_outbox" ("target_user_id", "pts", "event_type", "payload")
    select "removed"."target_user_id", "removed"."pts", "removed"."event_type", "removed"."payload"
    from "removed"
    order by "removed"."id"
    returning "lanequeue"."dispatch_outbox"."id"
  )
select
  array(
    select "removed"."id"
    from "removed"
    order by "removed"."id"
  ),
  array(
    select "appended"."id"
    from "appended"
    order by "appended"."id"
  );
