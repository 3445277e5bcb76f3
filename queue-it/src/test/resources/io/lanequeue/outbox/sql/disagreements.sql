select
  coalesce("lanequeue"."dispatch_outbox_user_heads"."target_user_id", "first"."target_user_id"),
  "lanequeue"."dispatch_outbox_user_heads"."head_id",
  "first"."id",
  ((
    select "head_event"."id"
    from "lanequeue"."dispatch_outbox" as "head_event"
    where (
      "head_event"."id" = "lanequeue"."dispatch_outbox_user_heads"."head_id"
      and "head_event"."target_user_id" = "lanequeue"."dispatch_outbox_user_heads"."target_user_id"
    )
  ) is not null),
  case
    when "lanequeue"."dispatch_outbox_user_heads"."available_at" <= "statement_timestamp"() then 'READY'
    when "lanequeue"."dispatch_outbox_user_heads"."available_at" = timestamptz 'infinity' then 'BLOCKED'
    when (
      "lanequeue"."dispatch_outbox_user_heads"."available_at" > "statement_timestamp"()
      and "lanequeue"."dispatch_outbox_user_heads"."available_at" < timestamptz 'infinity'
      and "lanequeue"."dispatch_outbox_user_heads"."lease_id" is not null
    ) then 'LEASED'
    when (
      "lanequeue"."dispatch_outbox_user_heads"."available_at" > "statement_timestamp"()
      and "lanequeue"."dispatch_outbox_user_heads"."available_at" < timestamptz 'infinity'
      and "lanequeue"."dispatch_outbox_user_heads"."lease_id" is null
    ) then 'BACKING_OFF'
  end as "state"
from (
  select distinct on ("lanequeue"."dispatch_outbox"."target_user_id") "lanequeue"."dispatch_outbox"."target_user_id", "lanequeue"."dispatch_outbox"."id", "lanequeue"."dispatch_outbox"."pts"
  from "lanequeue"."dispatch_outbox"
  order by "lanequeue"."dispatch_outbox"."target_user_id", "lanequeue"."dispatch_outbox"."pts", "lanequeue"."dispatch_outbox"."id"
) as "first"
  full outer join "lanequeue"."dispatch_outbox_user_heads"
    on "lanequeue"."dispatch_outbox_user_heads"."target_user_id" = "first"."target_user_id"
where ("lanequeue"."dispatch_outbox_user_heads"."head_id", "lanequeue"."dispatch_outbox_user_heads"."head_pts") is distinct from ("first"."id", "first"."pts")
order by coalesce("lanequeue"."dispatch_outbox_user_heads"."target_user_id", "first"."target_user_id")
fetch next ? rows only;
