with
  "stale" as materialized (
    select "old"."id", "old"."claim_id"
    from "lanequeue"."effect_queue" as "old"
    where (
      "old"."state" = 'claimed'
      and "old"."claimed_at" <= (
        select ("statement_timestamp"() - cast(? as interval day to second))
      )
    )
    order by "old"."claimed_at"
    fetch next (
      select cast(? as bigint)
    ) rows only
    for update skip locked
  )
select "effect_queue_put_back"."effect_id", "effect_queue_put_back"."superseded_by", "effect_queue_put_back"."is_failed"
from "lanequeue"."effect_queue_put_back"(
  array(
    select "stale"."id"
    from "stale"
    order by "stale"."id"
  ),
  array(
    select "stale"."claim_id"
    from "stale"
    order by "stale"."id"
  ),
  cast(
    ?
    as timestamp with time zone[]
  ),
  cast(
    ?
    as text[]
  ),
  array(
    select 0
    from "stale"
  ),
  ?
);
