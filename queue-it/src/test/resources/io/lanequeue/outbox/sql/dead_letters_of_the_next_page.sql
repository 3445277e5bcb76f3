select
  "lanequeue"."dispatch_outbox_dead_letters"."id",
  "lanequeue"."dispatch_outbox_dead_letters"."target_user_id",
  "lanequeue"."dispatch_outbox_dead_letters"."pts",
  "lanequeue"."dispatch_outbox_dead_letters"."event_type",
  "lanequeue"."dispatch_outbox_dead_letters"."payload",
  "lanequeue"."dispatch_outbox_dead_letters"."created_at",
  "lanequeue"."dispatch_outbox_dead_letters"."attempts",
  "lanequeue"."dispatch_outbox_dead_letters"."last_error",
  "lanequeue"."dispatch_outbox_dead_letters"."reason",
  "lanequeue"."dispatch_outbox_dead_letters"."discarded_at"
from "lanequeue"."dispatch_outbox_dead_letters"
where "lanequeue"."dispatch_outbox_dead_letters"."id" > ?
order by "lanequeue"."dispatch_outbox_dead_letters"."id"
fetch next (
  select cast(? as bigint)
) rows only;
