select count(*)
from "lanequeue"."dispatch_outbox"
where "lanequeue"."dispatch_outbox"."target_user_id" between ? and ?;
