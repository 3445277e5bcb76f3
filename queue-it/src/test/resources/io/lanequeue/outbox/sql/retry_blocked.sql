update "lanequeue"."dispatch_outbox_user_heads"
set
  "available_at" = "statement_timestamp"(),
  "attempts" = 0
where (
  "lanequeue"."dispatch_outbox_user_heads"."target_user_id" = ?
  and "lanequeue"."dispatch_outbox_user_heads"."head_id" = ?
  and "lanequeue"."dispatch_outbox_user_heads"."available_at" = timestamptz 'infinity'
);
