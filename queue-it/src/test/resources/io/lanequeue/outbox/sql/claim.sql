with
  "due_heads" as materialized (
    select
      "due".ctid as "head",
      "due"."available_at" as "since"
    from "lanequeue"."dispatch_outbox_user_heads" as "due"
    where "due"."available_at" between (
      select cast(? as timestamptz)
    ) and (
      select "statement_timestamp"()
    )
    order by "due"."available_at"
    fetch next (
      select cast(? as bigint)
    ) rows only
    for no key update skip locked
  ),
  "leased" as (
    update "lanequeue"."dispatch_outbox_user_heads"
    set
      "lease_id" = ((nextval('"lanequeue"."dispatch_outbox_lease_seq"') * 65536) + cast(
        floor((random() * 65536))
        as bigint
      )),
      "leased_by" = ?,
      "attempts" = ("lanequeue"."dispatch_outbox_user_heads"."attempts" + ?),
      "available_at" = ("statement_timestamp"() + cast(? as interval day to second))
    where "lanequeue"."dispatch_outbox_user_heads".ctid = any (
      array(
        select "due_heads"."head"
        from "due_heads"
      )
    )
    returning 
      "lanequeue"."dispatch_outbox_user_heads"."target_user_id",
      "lanequeue"."dispatch_outbox_user_heads"."lease_id",
      "lanequeue"."dispatch_outbox_user_heads"."available_at",
      "lanequeue"."dispatch_outbox_user_heads"."head_id",
      "lanequeue"."dispatch_outbox_user_heads"."attempts",
      "lanequeue"."dispatch_outbox_user_heads"."last_error"
  ),
  "claimed" as materialized (
    select
      "leased"."target_user_id" as "lane",
      "leased"."lease_id" as "lease",
      "leased"."available_at" as "leased_until",
      "leased"."head_id" as "head_id",
      "leased"."attempts" as "attempts",
      "leased"."last_error" as "last_error",
      "first"."id" as "event_id",
      "first"."pts" as "pts",
      "first"."event_type" as "event_type",
      "first"."payload" as "payload",
      "first"."created_at" as "created_at"
    from "leased"
      left outer join lateral (
        select
          "event"."id",
          "event"."pts",
          "event"."event_type",
          "event"."payload",
          "event"."created_at"
        from "lanequeue"."dispatch_outbox" as "event"
        where "event"."target_user_id" between "leased"."target_user_id" and "leased"."target_user_id"
        order by "event"."target_user_id", "event"."pts", "event"."id"
        fetch next (
          select cast(? as bigint)
        ) rows only
      ) as "first"
        on true
  )
select
  "claimed"."lane",
  "claimed"."lease",
  "claimed"."leased_until",
  "claimed"."event_id",
  "claimed"."pts",
  "claimed"."event_type",
  "claimed"."payload",
  "claimed"."created_at",
  case
    when "claimed"."event_id" = "claimed"."head_id" then "claimed"."attempts"
    else 1
  end as "attempts",
  case
    when "claimed"."event_id" = "claimed"."head_id" then "claimed"."last_error"
  end as "last_error",
  (
    select "lanequeue"."dispatch_outbox_settle_heads"(
      "lanes" := array(
        select "claimed"."lane"
        from "claimed"
        where "claimed"."event_id" is null
      ),
      "leases" := array(
        select "claimed"."lease"
        from "claimed"
        where "claimed"."event_id" is null
      )
    )
  ) as "settled",
  (
    select min("due_heads"."since")
    from "due_heads"
  )
from "claimed"
order by "claimed"."lane", "claimed"."pts", "claimed"."event_id";
