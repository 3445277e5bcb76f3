package io.lanequeue.watch;

import org.jspecify.annotations.Nullable;

/**
 * What a queue's totals were at a moment, or why they are not known.
 *
 * @param at the moment, in nanoseconds of the watch's clock
 * @param totals null if the database did not tell
 * @param failure why not; null if it did
 */
record Reading<T>(long at, @Nullable T totals, @Nullable String failure) {

    static <T> Reading<T> of(long at, T totals) {
        return new Reading<>(at, totals, null);
    }

    static <T> Reading<T> failed(long at, String failure) {
        return new Reading<>(at, null, failure);
    }

    boolean isYoungerThan(long age, long now) {
        return now - at < age;
    }
}
