select
  "first_of_shard"."available_at",
  "statement_timestamp"()
from unnest(cast(
  ?
  as smallint[]
)) with ordinality as "shard" ("number", "position")
  cross join lateral (
    select "first"."available_at"
    from "lanequeue"."dispatch_outbox_user_heads" as "first"
    where "first"."logical_shard" between "shard"."number" and "shard"."number"
    order by "first"."logical_shard", "first"."available_at"
    fetch next 1 rows only
  ) as "first_of_shard"
order by "first_of_shard"."available_at"
fetch next 1 rows only;
