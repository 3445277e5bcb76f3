package io.lanequeue.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What each call sends is what is kept in a file of its name, so that a change of a statement can be read as SQL, and
 * another version of jOOQ shows what it renders otherwise than in its layout. A subclass names its calls in a static
 * method {@code calls}; the files are in the folder {@code sql} of its package. They are {@link Kept}.
 */
public abstract class SqlContract {

    private final QueueDatabase db = QueueDatabase.of(Wiring.STANDARD);

    @AfterEach
    void resetDatabase() {
        db.reset();
    }

    @ParameterizedTest
    @MethodSource("calls")
    void sendsWhatIsKept(QueueCall call) throws IOException {
        Path folder = Path.of("src/test/resources", getClass().getPackageName().split("\\."));
        Kept.assertHolds(folder.resolve("sql/" + call.toString().toLowerCase(Locale.ROOT) + ".sql"), sentBy(call));
    }

    private String sentBy(QueueCall call) {
        DSLContext dsl = db.open().dsl();
        Function<DSLContext, Object> prepared = call.prepare(dsl);
        DSLContext formatted = dsl.configuration()
                .deriveSettings(settings -> settings.withRenderFormatted(true))
                .dsl();
        return Sent.by(formatted, prepared::apply).stream()
                .map(statement -> statement.sql() + ";\n")
                .collect(Collectors.joining("\n"));
    }
}
