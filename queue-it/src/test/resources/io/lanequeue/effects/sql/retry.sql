select "effect_queue_put_back"."effect_id", "effect_queue_put_back"."superseded_by"
from "lanequeue"."effect_queue_put_back"(
  cast(
    ?
    as bigint[]
  ),
  cast(
    ?
    as bigint[]
  ),
  array(
    select ("statement_timestamp"() + "given"."delay")
    from unnest(cast(
      ?
      as interval day to second[]
    )) with ordinality as "given" ("delay", "position")
    order by "given"."position"
  ),
  cast(
    ?
    as text[]
  ),
  cast(
    ?
    as int[]
  ),
  cast(null as int)
);
