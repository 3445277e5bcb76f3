select
  (
    select count(*)
    from (
      select 1 as "one"
      from "lanequeue"."effect_queue"
      where (
        "lanequeue"."effect_queue"."repo_id" = ?
        and "lanequeue"."effect_queue"."state" = 'scheduled'
      )
      fetch next ? rows only
    ) as "counted"
  ),
  (
    select count(*)
    from (
      select 1 as "one"
      from "lanequeue"."effect_queue"
      where (
        "lanequeue"."effect_queue"."repo_id" = ?
        and "lanequeue"."effect_queue"."state" = 'enqueued'
      )
      fetch next ? rows only
    ) as "counted"
  ),
  coalesce(
    (
      select "lanequeue"."effect_queue_repo_heads"."in_flight"
      from "lanequeue"."effect_queue_repo_heads"
      where "lanequeue"."effect_queue_repo_heads"."repo_id" = ?
    ),
    0
  ),
  (
    select count(*)
    from (
      select 1 as "one"
      from "lanequeue"."effect_queue"
      where (
        "lanequeue"."effect_queue"."repo_id" = ?
        and "lanequeue"."effect_queue"."state" = 'failed'
      )
      fetch next ? rows only
    ) as "counted"
  );
