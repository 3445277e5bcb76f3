select
  "page"."target_user_id",
  "page"."head_id",
  "page"."head_pts",
  (
    select "lanequeue"."dispatch_outbox"."created_at"
    from "lanequeue"."dispatch_outbox"
    where (
      "lanequeue"."dispatch_outbox"."target_user_id" = "page"."target_user_id"
      and "lanequeue"."dispatch_outbox"."pts" = "page"."head_pts"
      and "lanequeue"."dispatch_outbox"."id" = "page"."head_id"
    )
  ),
  (
    select "statement_timestamp"()
  ),
  "page"."available_at",
  "page"."attempts",
  "page"."last_error",
  "page"."leased_by"
from (
  select
    "lanequeue"."dispatch_outbox_user_heads"."target_user_id",
    "lanequeue"."dispatch_outbox_user_heads"."head_id",
    "lanequeue"."dispatch_outbox_user_heads"."head_pts",
    "lanequeue"."dispatch_outbox_user_heads"."logical_shard",
    "lanequeue"."dispatch_outbox_user_heads"."available_at",
    "lanequeue"."dispatch_outbox_user_heads"."lease_id",
    "lanequeue"."dispatch_outbox_user_heads"."leased_by",
    "lanequeue"."dispatch_outbox_user_heads"."attempts",
    "lanequeue"."dispatch_outbox_user_heads"."last_error"
  from "lanequeue"."dispatch_outbox_user_heads"
  where (
    "lanequeue"."dispatch_outbox_user_heads"."available_at" = timestamptz 'infinity'
    and "lanequeue"."dispatch_outbox_user_heads"."target_user_id" > ?
  )
  order by "lanequeue"."dispatch_outbox_user_heads"."target_user_id"
  fetch next (
    select cast(? as bigint)
  ) rows only
) as "page"
order by "page"."available_at", "page"."target_user_id"
fetch next (
  select cast(? as bigint)
) rows only;
