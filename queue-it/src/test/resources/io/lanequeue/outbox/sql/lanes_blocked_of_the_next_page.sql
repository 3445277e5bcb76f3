select
  "lanequeue"."dispatch_outbox_user_heads"."target_user_id",
  "lanequeue"."dispatch_outbox_user_heads"."head_id",
  "lanequeue"."dispatch_outbox_user_heads"."head_pts",
  (
    select "lanequeue"."dispatch_outbox"."created_at"
    from "lanequeue"."dispatch_outbox"
    where (
      "lanequeue"."dispatch_outbox"."target_user_id" = "lanequeue"."dispatch_outbox_user_heads"."target_user_id"
      and "lanequeue"."dispatch_outbox"."pts" = "lanequeue"."dispatch_outbox_user_heads"."head_pts"
      and "lanequeue"."dispatch_outbox"."id" = "lanequeue"."dispatch_outbox_user_heads"."head_id"
    )
  ),
  (
    select "statement_timestamp"()
  ),
  "lanequeue"."dispatch_outbox_user_heads"."available_at",
  "lanequeue"."dispatch_outbox_user_heads"."attempts",
  "lanequeue"."dispatch_outbox_user_heads"."last_error",
  "lanequeue"."dispatch_outbox_user_heads"."leased_by"
from "lanequeue"."dispatch_outbox_user_heads"
where (
  "lanequeue"."dispatch_outbox_user_heads"."available_at" = timestamptz 'infinity'
  and "lanequeue"."dispatch_outbox_user_heads"."target_user_id" > ?
)
order by "lanequeue"."dispatch_outbox_user_heads"."available_at", "lanequeue"."dispatch_outbox_user_heads"."target_user_id"
fetch next (
  select cast(? as bigint)
) rows only;
