with
  "fenced" as materialized (
    select
      "outcome"."lane",
      "outcome"."lease",
      "outcome"."untried",
      "outcome"."failed",
      "outcome"."failed_pts",
      "outcome"."delay",
      "outcome"."error",
      "head"."head_id",
      "head"."place"
    from (
      select
        "given"."lane",
        "given"."lease",
        "given"."untried",
        "given"."failed",
        "given"."failed_pts",
        "given"."delay",
        "given"."error"
      from unnest(cast(
        ?
        as bigint[]
      ), cast(
        ?
        as bigint[]
      ), cast(
        ?
        as boolean[]
      ), cast(
        ?
        as bigint[]
      ), cast(
        ?
        as int[]
      ), cast(
        ?
        as interval day to second[]
      ), cast(
        ?
        as text[]
      )) with ordinality as "given" (
        "lane",
        "lease",
        "untried",
        "failed",
        "failed_pts",
        "delay",
        "error",
        "position"
      )
      order by "given"."lane"
    ) as "outcome"
      cross join lateral (
        select
          "locked"."head_id",
          "locked".ctid as "place"
        from "lanequeue"."dispatch_outbox_user_heads" as "locked"
        where (
          "locked"."target_user_id" = "outcome"."lane"
          and "locked"."lease_id" = "outcome"."lease"
        )
        fetch next 1 rows only
        for no key update
      ) as "head"
  ),
  "mine" as materialized (
    select "event_to_delete"."place", "event_to_delete"."id"
    from unnest(cast(
      ?
      as bigint[]
    ), cast(
      ?
      as int[]
    ), cast(
      ?
      as bigint[]
    )) with ordinality as "delivered" ("lane", "pts", "event", "position")
      join "fenced"
        on "fenced"."lane" = "delivered"."lane"
      cross join lateral (
        select
          "event".ctid as "place",
          "event"."id"
        from "lanequeue"."dispatch_outbox" as "event"
        where (
          "event"."target_user_id" = "fenced"."lane"
          and "event"."pts" = "delivered"."pts"
          and "event"."id" = "delivered"."event"
        )
        fetch next 1 rows only
        for update skip locked
      ) as "event_to_delete"
  ),
  "deleted" as (
    delete from "lanequeue"."dispatch_outbox"
    where "lanequeue"."dispatch_outbox".ctid = any (
      array(
        select "mine"."place"
        from "mine"
      )
    )
    returning "lanequeue"."dispatch_outbox"."id", "lanequeue"."dispatch_outbox"."target_user_id"
  ),
  "recorded" as materialized (
    select
      "fenced"."lane" as "lane",
      "failed_event"."id" as "event",
      "failed_event"."pts" as "pts"
    from "fenced"
      cross join lateral (
        select "event"."id", "event"."pts"
        from "lanequeue"."dispatch_outbox" as "event"
        where (
          "event"."target_user_id" = "fenced"."lane"
          and "event"."pts" = "fenced"."failed_pts"
          and "event"."id" = "fenced"."failed"
        )
        fetch next 1 rows only
        for update skip locked
      ) as "failed_event"
    where (
      "failed_event"."id" = (
        select "first"."id"
        from "lanequeue"."dispatch_outbox" as "first"
        where (
          "first"."target_user_id" between "fenced"."lane" and "fenced"."lane"
          and "first"."id" not in (
            select "deleted"."id"
            from "deleted"
          )
        )
        order by "first"."target_user_id", "first"."pts", "first"."id"
        fetch next 1 rows only
      )
      and "fenced"."head_id" = (
        select "seen"."head_id"
        from "lanequeue"."dispatch_outbox_user_heads" as "seen"
        where (
          "seen"."target_user_id" = "fenced"."lane"
          and "seen"."lease_id" = "fenced"."lease"
        )
      )
    )
  ),
  "ending" as materialized (
    select
      "fenced"."lane",
      "fenced"."lease",
      "fenced"."untried",
      "fenced"."failed",
      "fenced"."failed_pts",
      "fenced"."delay",
      "fenced"."error",
      "fenced"."head_id",
      "fenced"."place",
      "recorded"."event" as "recorded_event",
      coalesce(
        "recorded"."event",
        case
          when "fenced"."head_id" in (
            select "deleted"."id"
            from "deleted"
          ) then "next"."id"
        end
      ) as "new_head",
      coalesce(
        "recorded"."pts",
        case
          when "fenced"."head_id" in (
            select "deleted"."id"
            from "deleted"
          ) then "next"."pts"
        end
      ) as "new_pts",
      "emptying"."target_user_id" as "emptying"
    from "fenced"
      left outer join "recorded"
        on "recorded"."lane" = "fenced"."lane"
      left outer join lateral (
        select "first"."id", "first"."pts"
        from "lanequeue"."dispatch_outbox" as "first"
        where (
          "first"."target_user_id" between "fenced"."lane" and "fenced"."lane"
          and "first"."id" not in (
            select "deleted"."id"
            from "deleted"
          )
          and "fenced"."lane" in (
            select "deleted"."target_user_id"
            from "deleted"
          )
        )
        order by "first"."target_user_id", "first"."pts", "first"."id"
        fetch next 1 rows only
      ) as "next"
        on true
      left outer join lateral (
        select "locked"."target_user_id"
        from "lanequeue"."dispatch_outbox_user_heads" as "locked"
        where (
          "locked".ctid = "fenced"."place"
          and "fenced"."lane" in (
            select "deleted"."target_user_id"
            from "deleted"
          )
          and "next"."id" is null
          and (
            "fenced"."head_id" in (
              select "deleted"."id"
              from "deleted"
            )
            or "fenced"."head_id" = (
              select "seen"."head_id"
              from "lanequeue"."dispatch_outbox_user_heads" as "seen"
              where (
                "seen"."target_user_id" = "fenced"."lane"
                and "seen"."lease_id" = "fenced"."lease"
              )
            )
          )
          and (
            age("locked".xmin) > 0
            or not ("lanequeue"."dispatch_outbox_is_own_version"("age_of_version" := age("locked".xmin)))
          )
          and (current_setting('transaction_isolation') in ('read committed', 'read uncommitted'))
        )
        fetch next 1 rows only
        for update skip locked
      ) as "emptying"
        on true
  ),
  "ended" as (
    update "lanequeue"."dispatch_outbox_user_heads"
    set
      "lease_id" = ?,
      "leased_by" = case
        when "ending"."emptying" is not null then "lanequeue"."dispatch_outbox_user_heads"."leased_by"
      end,
      "head_id" = coalesce("ending"."new_head", "lanequeue"."dispatch_outbox_user_heads"."head_id"),
      "head_pts" = coalesce("ending"."new_pts", "lanequeue"."dispatch_outbox_user_heads"."head_pts"),
      "available_at" = case
        when "ending"."recorded_event" is null then "statement_timestamp"()
        when "ending"."delay" is null then timestamptz 'infinity'
        else ("statement_timestamp"() + "ending"."delay")
      end,
      "attempts" = case
        when "ending"."recorded_event" = "lanequeue"."dispatch_outbox_user_heads"."head_id" then "lanequeue"."dispatch_outbox_user_heads"."attempts"
        when "ending"."recorded_event" is not null then 1
        when "ending"."untried" then greatest(
          ("lanequeue"."dispatch_outbox_user_heads"."attempts" - 1),
          0
        )
        else 0
      end,
      "last_error" = case
        when "ending"."recorded_event" is not null then "ending"."error"
        when "ending"."untried" then "lanequeue"."dispatch_outbox_user_heads"."last_error"
      end
    from "ending"
    where (
      "lanequeue"."dispatch_outbox_user_heads"."target_user_id" = "ending"."lane"
      and "lanequeue"."dispatch_outbox_user_heads"."target_user_id" = any (
        array(
          select "ending"."lane"
          from "ending"
        )
      )
    )
    returning "lanequeue"."dispatch_outbox_user_heads"."target_user_id"
  )
select "fenced"."lane", "recorded"."event", "deleted"."id"
from "fenced"
  left outer join "recorded"
    on "recorded"."lane" = "fenced"."lane"
  left outer join "deleted"
    on "deleted"."target_user_id" = "fenced"."lane";
