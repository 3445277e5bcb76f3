package io.lanequeue.devdb;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;

/** Embedded servers of which the programs are unpacked once. */
final class EmbeddedServers {

    private EmbeddedServers() {}

    static EmbeddedPostgres.Builder builder() {
        // One directory per user: binaries that root unpacked cannot be used by others.
        Path directory =
                Path.of(System.getProperty("java.io.tmpdir"), "lanequeue-postgres-" + System.getProperty("user.name"));
        return EmbeddedPostgres.builder().setOverrideWorkingDirectory(directory.toFile());
    }
}
