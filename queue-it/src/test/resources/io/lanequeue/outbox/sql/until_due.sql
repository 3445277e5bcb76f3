select
  "lanequeue"."dispatch_outbox_user_heads"."available_at",
  "statement_timestamp"()
from "lanequeue"."dispatch_outbox_user_heads"
order by "lanequeue"."dispatch_outbox_user_heads"."available_at"
fetch next 1 rows only;
