select
  count(*) filter (where "lanequeue"."dispatch_outbox_user_heads"."available_at" <= "statement_timestamp"()),
  count(*) filter (where (
    "lanequeue"."dispatch_outbox_user_heads"."available_at" > "statement_timestamp"()
    and "lanequeue"."dispatch_outbox_user_heads"."available_at" < timestamptz 'infinity'
    and "lanequeue"."dispatch_outbox_user_heads"."lease_id" is null
  )),
  count(*) filter (where (
    "lanequeue"."dispatch_outbox_user_heads"."available_at" > "statement_timestamp"()
    and "lanequeue"."dispatch_outbox_user_heads"."available_at" < timestamptz 'infinity'
    and "lanequeue"."dispatch_outbox_user_heads"."lease_id" is not null
  )),
  count(*) filter (where "lanequeue"."dispatch_outbox_user_heads"."available_at" = timestamptz 'infinity'),
  min("lanequeue"."dispatch_outbox_user_heads"."available_at") filter (where "lanequeue"."dispatch_outbox_user_heads"."available_at" <= "statement_timestamp"()),
  "statement_timestamp"()
from "lanequeue"."dispatch_outbox_user_heads";
