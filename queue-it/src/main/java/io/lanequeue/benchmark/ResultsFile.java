package io.lanequeue.benchmark;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes what a run found, and where it ran, as JSON. */
final class ResultsFile {

    private static final MathContext DIGITS = new MathContext(4);

    private final ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private final Path file;

    ResultsFile(Path file) {
        this.file = file;
    }

    void write(Form form, Machine machine, Map<String, String> server, Results results) throws IOException {
        ObjectNode root = json.createObjectNode();
        root.put("date", LocalDate.now().toString());
        root.put("form", form.name().toLowerCase(Locale.ROOT));
        root.set("machine", json.valueToTree(machine));
        root.set("server", json.valueToTree(server));
        var figures = root.putArray("figures");
        results.figures().forEach(figure -> figures.add(node(figure)));
        root.set("claimByBacklog", json.valueToTree(results.claimByBacklog()));
        root.set("claimUnderSnapshot", json.valueToTree(results.claimOverTime()));
        root.set("drains", json.valueToTree(results.drains()));
        json.writeValue(file.toFile(), root);
    }

    private ObjectNode node(Figure figure) {
        ObjectNode node = json.createObjectNode();
        node.put("id", figure.id());
        node.put("what", figure.what());
        node.put("value", rounded(figure.value()));
        if (figure.target() != null) {
            node.put("relation", figure.target().relation());
            node.put("target", figure.target().bound());
            node.put("met", figure.met());
        }
        put(node, "ours", figure.ours());
        put(node, "baseline", figure.baseline());
        node.put("unit", figure.unit());
        return node;
    }

    private static void put(ObjectNode node, String name, @Nullable Measure measure) {
        node.put(name, measure == null ? null : rounded(measure.value()));
        if (measure != null && measure.p99() != null) {
            node.put(name + "P99", rounded(measure.p99()));
        }
    }

    private static BigDecimal rounded(double number) {
        return new BigDecimal(number, DIGITS).stripTrailingZeros();
    }
}
