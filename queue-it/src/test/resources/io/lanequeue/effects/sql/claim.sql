select "lanequeue"."effect_queue_promote_due"(
  "now_at" := "statement_timestamp"(),
  "max_effects" := 1000
);

with
  "heads" as materialized (
    select
      "lanequeue"."effect_queue_repo_heads"."repo_id",
      "lanequeue"."effect_queue_repo_heads"."in_flight",
      "lowest_waiting"."id" as "first"
    from "lanequeue"."effect_queue_repo_heads"
      cross join lateral (
        select "lowest"."id"
        from "lanequeue"."effect_queue" as "lowest"
        where (
          "lowest"."repo_id" between "lanequeue"."effect_queue_repo_heads"."repo_id" and "lanequeue"."effect_queue_repo_heads"."repo_id"
          and "lowest"."state" = 'enqueued'
        )
        order by "lowest"."repo_id", "lowest"."id"
        fetch next 1 rows only
      ) as "lowest_waiting"
    where (
      "lanequeue"."effect_queue_repo_heads"."repo_id" = ?
      and "lanequeue"."effect_queue_repo_heads"."in_flight" < ?
    )
    order by "lanequeue"."effect_queue_repo_heads"."repo_id" asc
    fetch next (? + 16) rows only
    for no key update of "effect_queue_repo_heads" skip locked
  ),
  "picked" as materialized (
    select "walked"."repo_id", "walked"."in_flight", "walked"."first"
    from (
      select "heads"."repo_id", "heads"."in_flight", "heads"."first"
      from "heads"
    ) as "walked"
    order by "walked"."first"
    fetch next (? + 16) rows only
  ),
  "oldest_of_each" as materialized (
    select
      "oldest"."place",
      "oldest"."id" as "effect",
      row_number() over (
        partition by "picked"."repo_id"
        order by "oldest"."id"
      ) as "rank",
      (? - "picked"."in_flight") as "room"
    from "picked"
      cross join lateral (
        select "waiting_of_repo"."id", "waiting_of_repo"."place"
        from (
          select
            "waiting"."id",
            "waiting".ctid as "place"
          from "lanequeue"."effect_queue" as "waiting"
          where (
            ("waiting"."repo_id", "waiting"."id") between ("picked"."repo_id", "picked"."first") and (
              "picked"."repo_id",
              (
                select case
                  when count(*) >= (? + 16) then max("picked"."first")
                  else 9223372036854775807
                end
                from "picked"
              )
            )
            and "waiting"."state" = 'enqueued'
          )
          order by "waiting"."repo_id", "waiting"."id"
          fetch next (least(
            ?,
            (? - "picked"."in_flight")
          ) + 16) rows only
        ) as "waiting_of_repo"
        fetch next (? + 16) rows only
      ) as "oldest"
  ),
  "candidates" as materialized (
    select "oldest_of_each"."place"
    from "oldest_of_each"
    order by
      case
        when "oldest_of_each"."rank" <= "oldest_of_each"."room" then 0
        else 1
      end,
      "oldest_of_each"."effect"
    fetch next (? + 16) rows only
  ),
  "held" as materialized (
    select
      "lanequeue"."effect_queue".ctid as "place",
      "lanequeue"."effect_queue"."id" as "effect",
      "lanequeue"."effect_queue"."repo_id" as "repo"
    from "lanequeue"."effect_queue"
    where (
      "lanequeue"."effect_queue".ctid = any (
        array(
          select "candidates"."place"
          from "candidates"
        )
      )
      and "lanequeue"."effect_queue"."state" is not distinct from 'enqueued'
    )
    for update skip locked
  ),
  "ranked" as materialized (
    select
      "held"."place",
      "held"."effect",
      row_number() over (
        partition by "held"."repo"
        order by "held"."effect"
      ) as "rank",
      (? - "picked"."in_flight") as "room"
    from "held"
      join "picked"
        on "picked"."repo_id" = "held"."repo"
  ),
  "chosen" as materialized (
    select "ranked"."place"
    from "ranked"
    where "ranked"."rank" <= "ranked"."room"
    order by "ranked"."effect"
    fetch next ? rows only
  ),
  "claimed" as (
    update "lanequeue"."effect_queue"
    set
      "state" = 'claimed',
      "claim_id" = ((nextval('"lanequeue"."effect_queue_claim_seq"') * 65536) + cast(
        floor((random() * 65536))
        as bigint
      )),
      "claimed_by" = ?,
      "claimed_at" = "statement_timestamp"(),
      "attempts" = ("lanequeue"."effect_queue"."attempts" + 1)
    where "lanequeue"."effect_queue".ctid = any (
      array(
        select "chosen"."place"
        from "chosen"
      )
    )
    returning 
      "lanequeue"."effect_queue"."id",
      "lanequeue"."effect_queue"."claim_id",
      "lanequeue"."effect_queue"."repo_id",
      "lanequeue"."effect_queue"."payload",
      "lanequeue"."effect_queue"."attempts",
      "lanequeue"."effect_queue"."last_error",
      "lanequeue"."effect_queue"."enqueued_at",
      "lanequeue"."effect_queue"."claimed_at"
  )
select
  "claimed"."id",
  "claimed"."claim_id",
  "claimed"."repo_id",
  "claimed"."payload",
  "claimed"."attempts",
  "claimed"."last_error",
  "claimed"."enqueued_at",
  "claimed"."claimed_at",
  "settled"."heads",
  (
    select count(*)
    from "candidates"
  ) as "looked_at"
from (
  select "lanequeue"."effect_queue_settle_heads"("repos" := array(
    select "without_effect"."repo_id"
    from (
      select "empty"."repo_id"
      from "lanequeue"."effect_queue_repo_heads" as "empty"
      where (
        "empty"."head_id" is null
        and "empty"."in_flight" <= (
          select 0
        )
      )
      order by "empty"."repo_id"
      fetch next 1000 rows only
    ) as "without_effect"
    where (
      select "waiting"."id"
      from "lanequeue"."effect_queue" as "waiting"
      where (
        "waiting"."repo_id" between "without_effect"."repo_id" and "without_effect"."repo_id"
        and "waiting"."state" = 'enqueued'
      )
      order by "waiting"."repo_id", "waiting"."id"
      fetch next 1 rows only
    ) is null
    order by "without_effect"."repo_id"
    fetch next 100 rows only
  )) as "heads"
) as "settled"
  left outer join "claimed"
    on true
order by "claimed"."id";
