with
  "seen" as materialized (
    select (
      "lanequeue"."dispatch_outbox_user_heads"."lease_id" is not null
      and "lanequeue"."dispatch_outbox_user_heads"."available_at" > "statement_timestamp"()
    ) as "leased"
    from "lanequeue"."dispatch_outbox_user_heads"
    where (
      "lanequeue"."dispatch_outbox_user_heads"."target_user_id" = ?
      and "lanequeue"."dispatch_outbox_user_heads"."head_id" = ?
    )
  ),
  "head" as materialized (
    select
      "lanequeue"."dispatch_outbox_user_heads"."target_user_id",
      "lanequeue"."dispatch_outbox_user_heads"."head_id",
      "lanequeue"."dispatch_outbox_user_heads"."head_pts",
      "lanequeue"."dispatch_outbox_user_heads"."attempts",
      "lanequeue"."dispatch_outbox_user_heads"."last_error",
      (
        "lanequeue"."dispatch_outbox_user_heads"."lease_id" is not null
        and "lanequeue"."dispatch_outbox_user_heads"."available_at" > "statement_timestamp"()
      ) as "leased"
    from "lanequeue"."dispatch_outbox_user_heads"
      cross join "seen"
    where (
      "lanequeue"."dispatch_outbox_user_heads"."target_user_id" = ?
      and "lanequeue"."dispatch_outbox_user_heads"."head_id" = ?
      and "seen"."leased" = false
    )
    for no key update of "dispatch_outbox_user_heads"
  ),
  "discarded" as (
    delete from "lanequeue"."dispatch_outbox"
    using "head"
    where (
      "lanequeue"."dispatch_outbox"."target_user_id" = "head"."target_user_id"
      and "lanequeue"."dispatch_outbox"."target_user_id" = any (
        array(
          select "head"."target_user_id"
          from "head"
        )
      )
      and "lanequeue"."dispatch_outbox"."pts" = "head"."head_pts"
      and "lanequeue"."dispatch_outbox"."id" = ?
      and "head"."leased" = false
    )
    returning 
      "lanequeue"."dispatch_outbox"."id",
      "lanequeue"."dispatch_outbox"."target_user_id",
      "lanequeue"."dispatch_outbox"."pts",
      "lanequeue"."dispatch_outbox"."event_type",
      "lanequeue"."dispatch_outbox"."payload",
      "lanequeue"."dispatch_outbox"."created_at"
  ),
  "ended" as (
    update "lanequeue"."dispatch_outbox_user_heads"
    set
      "lease_id" = ?,
      "leased_by" = ?
    from "head"
    where (
      "lanequeue"."dispatch_outbox_user_heads"."target_user_id" = "head"."target_user_id"
      and "lanequeue"."dispatch_outbox_user_heads"."target_user_id" = any (
        array(
          select "head"."target_user_id"
          from "head"
        )
      )
      and (
        select "discarded"."id"
        from "discarded"
        fetch next 1 rows only
      ) is not null
      and "lanequeue"."dispatch_outbox_user_heads"."lease_id" is not null
    )
    returning "lanequeue"."dispatch_outbox_user_heads"."target_user_id"
  ),
  "kept" as (
    insert into "lanequeue"."dispatch_outbox_dead_letters" (
      "id",
      "target_user_id",
      "pts",
      "event_type",
      "payload",
      "created_at",
      "attempts",
      "last_error",
      "reason"
    )
    select
      "discarded"."id",
      "discarded"."target_user_id",
      "discarded"."pts",
      "discarded"."event_type",
      "discarded"."payload",
      "discarded"."created_at",
      case
        when "discarded"."id" = "head"."head_id" then "head"."attempts"
        else 0
      end,
      case
        when "discarded"."id" = "head"."head_id" then "head"."last_error"
      end,
      ?
    from "discarded"
      cross join "head"
    returning "lanequeue"."dispatch_outbox_dead_letters"."id"
  )
select
  coalesce("head"."leased", "seen"."leased"),
  (
    select count(*)
    from "kept"
  )
from "seen"
  left outer join "head"
    on true;
