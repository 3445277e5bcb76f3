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
  cast(
    ?
    as timestamp with time zone[]
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
