package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.outbox.OutboxProducer;
import io.lanequeue.schema.LanequeueSchema;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.net.URISyntaxException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What the service gets are jars with module names that stay. */
class PublishedJarsTest {

    @Test
    void theLibraryIsAJarWithAModuleName() throws URISyntaxException {
        assertThat(moduleName(OutboxProducer.class)).isEqualTo("io.lanequeue");
        assertThat(moduleName(LanequeueSchema.class)).isEqualTo("io.lanequeue.schema");
    }

    private static String moduleName(Class<?> member) throws URISyntaxException {
        Path jar = Path.of(
                member.getProtectionDomain().getCodeSource().getLocation().toURI());
        assertThat(jar).isRegularFile();
        ModuleReference module = ModuleFinder.of(jar).findAll().iterator().next();
        return module.descriptor().name();
    }
}
