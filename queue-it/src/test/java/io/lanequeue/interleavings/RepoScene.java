package io.lanequeue.interleavings;

import static io.lanequeue.interleavings.PreparedEffect.DUE;
import static io.lanequeue.interleavings.PreparedEffect.IN_FLIGHT;
import static io.lanequeue.interleavings.PreparedEffect.WAITING;

import java.util.List;
import java.util.function.BiConsumer;
import org.jooq.DSLContext;

/** The states of a repository in which two calls meet. */
enum RepoScene implements Scene<Repo> {
    /** One effect waits, under a key, and none is in flight. */
    LAST_WAITING(List.of(WAITING), (repo, dsl) -> {}),

    /** One effect, with a key, is in flight, and none waits. */
    LAST_IN_FLIGHT(List.of(IN_FLIGHT), (repo, dsl) -> {}),

    BUSY(List.of(IN_FLIGHT, WAITING), (repo, dsl) -> {}),

    /** As {@link #BUSY}, and a scheduled effect is due. */
    EFFECT_DUE(List.of(IN_FLIGHT, DUE, WAITING), (repo, dsl) -> {}),

    /** There is a head, and nothing stands behind it. */
    EMPTY_HEAD(List.of(), Repo::leaveAnEmptyHead),

    NO_HEAD(List.of(), (repo, dsl) -> {}),

    /** As {@link #BUSY}, and the head does not say what waits. */
    AMISS(List.of(IN_FLIGHT, WAITING), Repo::forgetTheOldest);

    private final List<PreparedEffect> effects;
    private final BiConsumer<Repo, DSLContext> rest;

    RepoScene(List<PreparedEffect> effects, BiConsumer<Repo, DSLContext> rest) {
        this.effects = effects;
        this.rest = rest;
    }

    @Override
    public Repo prepare(DSLContext dsl, long number) {
        Repo repo = new Repo(dsl, number, effects);
        rest.accept(repo, dsl);
        return repo;
    }
}
