insert into "lanequeue"."dispatch_outbox" ("target_user_id", "pts", "event_type", "payload")
values (
  ?, 
  ?, 
  ?, 
  cast(? as jsonb)
)
returning "lanequeue"."dispatch_outbox"."id";
