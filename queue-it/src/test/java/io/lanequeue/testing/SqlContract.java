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

    protected final QueueDatabase db = QueueDatabase.of(Wiring.STANDARD);

    @AfterEach
    void resetDatabase() {
        db.reset();
    }

    @ParameterizedTest
    @MethodSource("calls")
    void sendsWhatIsKept(QueueCall call) throws IOException {
        DSLContext dsl = db.open().dsl();
        assertThatItSendsWhatIsKept(call.toString().toLowerCase(Locale.ROOT), dsl, call.prepare(dsl));
    }

    protected final void assertThatItSendsWhatIsKept(String name, DSLContext dsl, Function<DSLContext, Object> call)
            throws IOException {
        Path folder = Path.of("src/test/resources", getClass().getPackageName().split("\\."));
        Kept.assertHolds(folder.resolve("sql/" + name + ".sql"), sentBy(dsl, call));
    }

    private static String sentBy(DSLContext dsl, Function<DSLContext, Object> call) {
        DSLContext formatted = dsl.configuration()
                .deriveSettings(settings -> settings.withRenderFormatted(true))
                .dsl();
        return Sent.by(formatted, call::apply).stream()
                .map(statement -> statement.sql() + ";\n")
                .collect(Collectors.joining("\n"));
    }
}
