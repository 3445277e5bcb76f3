package io.lanequeue.interleavings;

import java.util.List;

class RepoInterleavingsTest extends InterleavingsContract<Repo, RepoLedger> {

    RepoInterleavingsTest() {
        super("repositories", List.of(RepoOperation.values()));
    }
}
