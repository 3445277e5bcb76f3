package io.lanequeue.interleavings;

import static java.util.stream.Collectors.joining;

import io.lanequeue.testing.Isolation;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * A matrix as two tables in Markdown: the outcome of each pair at READ COMMITTED with the letter of its kind, and the
 * outcomes of each kind above it.
 */
final class MatrixTable<S extends Subject<L>, L extends Ledger> {

    private final Matrix<S, L> matrix;
    private final Map<Map<Setting, String>, Character> kinds = new LinkedHashMap<>();

    private MatrixTable(Matrix<S, L> matrix) {
        this.matrix = matrix;
    }

    static <S extends Subject<L>, L extends Ledger> String of(Matrix<S, L> matrix) {
        MatrixTable<S, L> table = new MatrixTable<>(matrix);
        return table.pairs() + "\n\n" + table.kinds();
    }

    private String pairs() {
        List<List<String>> rows = new ArrayList<>();
        List<String> header = new ArrayList<>(List.of("first ↓ second →"));
        header.addAll(numbers());
        rows.add(header);
        for (int i = 0; i < matrix.operations().size(); i++) {
            Operation<S, L> first = matrix.operations().get(i);
            List<String> row = new ArrayList<>(List.of((i + 1) + " " + first.title()));
            for (Operation<S, L> second : matrix.operations()) {
                row.add(cell(first, second));
            }
            rows.add(row);
        }
        return DocumentedTable.markdown(rows);
    }

    private List<String> numbers() {
        return IntStream.rangeClosed(1, matrix.operations().size())
                .mapToObj(Integer::toString)
                .toList();
    }

    private String cell(Operation<S, L> first, Operation<S, L> second) {
        Map<Setting, String> kind = new LinkedHashMap<>();
        for (Setting setting : matrix.settings()) {
            if (!setting.bothAre(Isolation.SERIALIZABLE)) {
                kind.put(setting, matrix.outcome(first, second, setting).toString());
            }
        }
        char letter = kinds.computeIfAbsent(kind, next -> (char) ('a' + kinds.size()));
        String plain = matrix.outcome(first, second, Setting.PLAIN).toString();
        return (plain.equals("proceeds") ? "·" : plain) + " " + letter;
    }

    private String kinds() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("kind", "both RC", "first RC, second above", "first above, second RC", "both above"));
        kinds.forEach((kind, letter) -> rows.add(List.of(
                letter.toString(),
                outcomes(kind, first -> !isAbove(first), second -> !isAbove(second)),
                outcomes(kind, first -> !isAbove(first), MatrixTable::isAbove),
                outcomes(kind, MatrixTable::isAbove, second -> !isAbove(second)),
                outcomes(kind, MatrixTable::isAbove, MatrixTable::isAbove))));
        return DocumentedTable.markdown(rows);
    }

    private static boolean isAbove(Isolation isolation) {
        return isolation != Isolation.READ_COMMITTED;
    }

    /** Those of each ending; where isolation levels that are shown as one differ, all of them. */
    private static String outcomes(Map<Setting, String> kind, Predicate<Isolation> first, Predicate<Isolation> second) {
        Map<Ending, Set<String>> outcomes = new EnumMap<>(Ending.class);
        kind.forEach((setting, outcome) -> {
            if (first.test(setting.first()) && second.test(setting.second())) {
                outcomes.computeIfAbsent(setting.ending(), ending -> new TreeSet<>())
                        .add(outcome);
            }
        });
        return outcomes.values().stream()
                .map(seen -> String.join(" or ", seen))
                .distinct()
                .collect(joining(" / "));
    }
}
