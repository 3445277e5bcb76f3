package io.lanequeue.model.effects;

import io.lanequeue.schema.EffectId;

/** Something that a transaction may hold, so that others skip it or wait for it. */
record Row(Kind kind, String name) {

    enum Kind {
        /** The head of a repository is locked: claims skip it, reports wait. */
        HEAD,
        /** It is moreover added or removed: enqueues wait. */
        CHANGING_HEAD,
        EFFECT,
        /** An effect that stands for one that was not added: it is not claimed. */
        STANDING,
        /** A dedupe key is being taken or given up. */
        KEY,
        /** The queue is locked for a repair: whoever changes an effect waits. */
        QUEUE
    }

    static final Row QUEUE = new Row(Kind.QUEUE, "");

    static Row head(String repo) {
        return new Row(Kind.HEAD, repo);
    }

    static Row changingHead(String repo) {
        return new Row(Kind.CHANGING_HEAD, repo);
    }

    static Row effect(EffectId effect) {
        return new Row(Kind.EFFECT, effect.toString());
    }

    static Row standing(EffectId effect) {
        return new Row(Kind.STANDING, effect.toString());
    }

    static Row key(String repo, String key) {
        return new Row(Kind.KEY, repo + "/" + key);
    }
}
