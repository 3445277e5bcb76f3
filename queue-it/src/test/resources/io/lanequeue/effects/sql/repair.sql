select "effect_queue_repair_heads"."repaired_repos", "effect_queue_repair_heads"."busy_repos"
from "lanequeue"."effect_queue_repair_heads"();
