package io.lanequeue.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.lanequeue.internal.JsonSyntax;
import io.lanequeue.schema.InvalidInputException;
import io.lanequeue.testing.TestServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The check accepts what the server accepts, and nothing else. */
class JsonSyntaxTest {

    private static final List<String> DOCUMENTS = List.of(
            "null",
            "true",
            "false",
            "0",
            "-0",
            "-0.0e-0",
            "12.50E+3",
            "\"\"",
            "\"text\"",
            "[]",
            "{}",
            " [ 1 , 2 , 3 ] ",
            "\t\r\n{ \"a\" : [ ] }\n",
            "{\"a\":{\"b\":{\"c\":[[],[{}],[[null]]]}}}",
            "{\"a\":1,\"a\":2,\"\":3}",
            "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\",\"\\u0041\\u00e9\\u20AC\"]",
            "[\"\\uD83D\\uDE00\",\"\\ud83d\\ude00\uD83D\uDE00\"]",
            "{\"\\uD834\\uDD1E\":\"\\\\u0000\",\"\\\\\":\"\\\\\\\\\"}",
            "{\"ключ\":\"значение €𝄞\",\"\u007F\u0085\u2028\":\"\uFEFF\uFFFF\"}",
            "[1,-1,0.1,-0.1,1e1,1E1,1e+1,1e-1,1.5e1,100,1001]",
            "[true,false,null,\"true\",[true],{\"null\":null}]",
            "{\"id\":42,\"user\":{\"name\":\"O'Hara\",\"tags\":[\"a\",\"b\"]},\"total\":12.50,\"paid\":false}");

    private static final String PIECES = "{}[]\",:\\/ \t\n\r\b\f\u000B\u00A0\u007F\u0000\u0001'+-.eE0123456789abtfnrux_"
            + "NaInfTF#é\u0660\u2028\uFEFF\uFFFF\uD83D\uDE00\uD800\uDFFF";

    private static Connection connection;

    @BeforeAll
    static void connect() throws SQLException {
        connection = TestServer.emptyDatabase().getConnection();
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "create function pg_temp.is_jsonb(document text) returns boolean strict language plpgsql as"
                            + " $$ begin perform document::jsonb; return true; exception when others then return false; end $$");
        }
    }

    @AfterAll
    static void disconnect() throws SQLException {
        connection.close();
    }

    @Test
    void theServerOfThisTestStoresUtf8() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("show server_encoding")) {
            row.next();
            assertThat(row.getString(1)).isEqualTo("UTF8");
        }
    }

    @Test
    void acceptsWhatTheServerAccepts() throws SQLException {
        for (String document : DOCUMENTS) {
            assertThat(refusal(document)).as(document).isNull();
        }
        assertThat(acceptedByServer(DOCUMENTS)).doesNotContain(false);
    }

    @Test
    void agreesWithTheServerOnEveryPairOfCharacters() throws SQLException {
        Set<String> texts = new LinkedHashSet<>();
        for (char first : PIECES.toCharArray()) {
            for (char second : PIECES.toCharArray()) {
                for (String around : List.of("%s", "[%s]", "\"%s\"", "\"\\%s\"", "\"\\uD83D%s\"", "1%s", "{\"a\"%s}")) {
                    texts.add(around.replace("%s", "" + first + second));
                }
            }
        }
        assertThatTheyAgree(new ArrayList<>(texts));
    }

    @Test
    void agreesWithTheServerOnTheRangeOfNumbers() throws SQLException {
        Set<String> texts = new LinkedHashSet<>();
        for (String mantissa :
                List.of("0", "0.0", "0.00", "1", "9", "-1", "10", "123", "0.1", "0.001", "1.5", "1.500", "100.001")) {
            for (int exponent : List.of(0, 1, 16_380, 131_067, 2_147_483_647)) {
                for (int step = -5; step <= 5; step++) {
                    long shifted = (long) exponent + step;
                    texts.add(mantissa + "e" + shifted);
                    texts.add(mantissa + "E-" + Math.abs(shifted));
                }
            }
        }
        texts.add("1e99999999999999999999");
        texts.add("1e-99999999999999999999");
        texts.add("0e99999999999999999999");
        for (int digits = 131_070; digits <= 131_074; digits++) {
            texts.add("1".repeat(digits));
            texts.add("0." + "0".repeat(digits - 114_690) + "1");
        }
        assertThatTheyAgree(new ArrayList<>(texts));
    }

    /** The server stores them in a few kilobytes each, and could never print some thousands of them. */
    @Test
    void refusesNumbersThatAreFarLongerThanWritten() {
        assertThat(refusal("[" + "1e131071,".repeat(127) + "1]")).isNull();
        assertThat(refusal("[" + "1e131071,".repeat(128) + "1]"))
                .contains("has numbers of more than 16777216 digits without their exponents");
        assertThat(refusal("[" + "1e-16383,".repeat(1_024) + "1]")).contains("digits without their exponents");
    }

    /** As a BigInteger this exponent would take minutes. */
    @Test
    void refusesAnExponentOfMillionsOfDigitsAtOnce() {
        assertThat(refusal("1e" + "9".repeat(8_000_000))).contains("beyond the range of numeric");
        assertThat(refusal("1e-" + "0".repeat(8_000_000) + "1")).isNull();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 20_260_728, 4_711})
    void agreesWithTheServerOnChangedDocuments(long seed) throws SQLException {
        var random = new Random(seed);
        Set<String> texts = new LinkedHashSet<>();
        while (texts.size() < 4_000) {
            String text = DOCUMENTS.get(random.nextInt(DOCUMENTS.size()));
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                text = changed(text, random);
            }
            texts.add(text);
        }
        int accepted = assertThatTheyAgree(new ArrayList<>(texts));
        assertThat(accepted).as("enough of both kinds").isBetween(200, 3_800);
    }

    private static String changed(String text, Random random) {
        int at = random.nextInt(text.length() + 1);
        int to = Math.min(text.length(), at + 1 + random.nextInt(3));
        char piece = PIECES.charAt(random.nextInt(PIECES.length()));
        return switch (random.nextInt(6)) {
            case 0 -> text.substring(0, at) + piece + text.substring(at);
            case 1 -> text.substring(0, at) + text.substring(to);
            case 2 -> text.substring(0, at) + piece + text.substring(Math.min(text.length(), at + 1));
            case 3 -> text.substring(0, to) + text.substring(at, to) + text.substring(to);
            case 4 -> {
                String other = DOCUMENTS.get(random.nextInt(DOCUMENTS.size()));
                yield text.substring(0, at) + other + text.substring(at);
            }
            default -> text.isEmpty() ? "[" : text.substring(0, at);
        };
    }

    /** Returns how many of the texts are JSON. */
    private static int assertThatTheyAgree(List<String> texts) throws SQLException {
        List<Boolean> accepted = acceptedByServer(texts);
        List<String> differing = new ArrayList<>();
        int count = 0;
        for (int i = 0; i < texts.size(); i++) {
            String refusal = refusal(texts.get(i));
            count += refusal == null ? 1 : 0;
            if (accepted.get(i) != (refusal == null)) {
                differing.add(
                        printable(texts.get(i)) + (refusal == null ? " is refused by the server" : " — " + refusal));
            }
        }
        assertThat(differing).isEmpty();
        return count;
    }

    private static @Nullable String refusal(String text) {
        try {
            JsonSyntax.check("it", text);
            return null;
        } catch (InvalidInputException e) {
            return e.getMessage();
        }
    }

    /** Whether the server takes each text. What no driver can send it is no text for it. */
    private static List<Boolean> acceptedByServer(List<String> texts) throws SQLException {
        List<Boolean> accepted = new ArrayList<>();
        String[] sent =
                texts.stream().map(text -> canBeSent(text) ? text : null).toArray(String[]::new);
        try (PreparedStatement statement = connection.prepareStatement(
                "select coalesce(pg_temp.is_jsonb(t.document), false) from unnest(?::text[]) with ordinality t (document, place)"
                        + " order by place")) {
            statement.setArray(1, connection.createArrayOf("text", sent));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    accepted.add(rows.getBoolean(1));
                }
            }
        }
        return accepted;
    }

    private static boolean canBeSent(String text) {
        return text.codePoints()
                .noneMatch(c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
    }

    private static String printable(String text) {
        var printable = new StringBuilder();
        text.chars().forEach(c -> printable.append(c < ' ' || c > '~' ? String.format("\\u%04X", c) : "" + (char) c));
        return printable.toString();
    }
}
