select
  (
    select count(*)
    from (
      select 1 as "one"
      from "lanequeue"."effect_queue"
      where (
        "lanequeue"."effect_queue"."repo_id" between ? and ?
        and "lanequeue"."effect_queue"."state" = 'scheduled'
      )
      order by "lanequeue"."effect_queue"."repo_id", "lanequeue"."effect_queue"."id"
      fetch next (
        select cast(? as bigint)
      ) rows only
    ) as "counted"
  ),
  (
    select count(*)
    from (
      select 1 as "one"
      from "lanequeue"."effect_queue"
      where (
        "lanequeue"."effect_queue"."repo_id" between ? and ?
        and "lanequeue"."effect_queue"."state" = 'enqueued'
      )
      order by "lanequeue"."effect_queue"."repo_id", "lanequeue"."effect_queue"."id"
      fetch next (
        select cast(? as bigint)
      ) rows only
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
        "lanequeue"."effect_queue"."repo_id" between ? and ?
        and "lanequeue"."effect_queue"."state" = 'failed'
      )
      order by "lanequeue"."effect_queue"."repo_id", "lanequeue"."effect_queue"."id"
      fetch next (
        select cast(? as bigint)
      ) rows only
    ) as "counted"
  );
