select "dispatch_outbox_repair_heads"."repaired_lanes", "dispatch_outbox_repair_heads"."busy_lanes"
from "lanequeue"."dispatch_outbox_repair_heads"();
