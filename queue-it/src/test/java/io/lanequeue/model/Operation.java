package io.lanequeue.model;

import java.util.Optional;

/** A call with small parameters, made with whatever the queue holds at the time. Its text is what a report shows. */
public interface Operation<M> {

    /** The call to make; empty where there is nothing to make it with. */
    Optional<? extends Call<M, ?>> on(View<M> view);
}
