-- Takes the demo's own triggers off the queue's table.

DROP TRIGGER IF EXISTS lanequeue_demo_added_head ON lanequeue.effect_queue_repo_heads;
DROP TRIGGER IF EXISTS lanequeue_demo_raised_head ON lanequeue.effect_queue_repo_heads;
