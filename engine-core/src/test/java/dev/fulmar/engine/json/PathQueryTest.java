package dev.fulmar.engine.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths of SQL/JSON: what their search costs. */
@Timeout(20)
class PathQueryTest {
    private static final int LONG = 1_000_000;

    /** As many subscripts as a path has room for: each leads to the first element. */
    private static final String MANY = "$[" + String.join(",", Collections.nCopies(4_000, "0")) + "]";

    private static List<JsonValue> items(String path, String document, String variables) {
        return PathQuery.of(path).items(JsonReader.value(document), JsonReader.value(variables));
    }

    private static void assertIsTooMuch(String path, String document, String variables) {
        PathQuery query = PathQuery.of(path);
        JsonValue read = JsonReader.value(document);
        JsonValue values = JsonReader.value(variables);
        assertThatThrownBy(() -> query.items(read, values))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_TOO_COMPLEX));
    }

    private static String text(String end) {
        return '"' + "x".repeat(LONG) + end + '"';
    }

    private static String list(int count, String element) {
        return String.join(",", Collections.nCopies(count, element));
    }

    private static String array(int count, String element) {
        return '[' + list(count, element) + ']';
    }

    /** The kind is known without the text of the item. */
    @Test
    @Timeout(5)
    void theKindOfALargeItemCostsNoMoreThanThatOfASmallOne() {
        String large = "[[" + list(LONG / 2, "1") + "]]";
        assertThat(items(MANY + ".type()", large, "{}")).hasSize(4_000).containsOnly(new JsonValue.Text("array"));
        assertThat(items(MANY + ".size()", large, "{}")).hasSize(4_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"@ == $v", "@ < $v", "@ starts with $v"})
    void aComparisonOfLongTextsCostsTheirLength(String condition) {
        assertIsTooMuch(MANY + " ? (" + condition + ")", '[' + text("a") + ']', "{\"v\":" + text("b") + '}');
        assertThat(items(MANY + " ? (" + condition + ")", "[\"xx\"]", "{\"v\":" + text("b") + '}'))
                .hasSize(condition.equals("@ < $v") ? 4_000 : 0);
    }

    @Test
    void aComparisonOfLongNumbersCostsTheirDigits() {
        String other = "1" + "0".repeat(100_000) + "." + "0".repeat(16_000) + "1";
        assertIsTooMuch(MANY + " ? (@ == $v)", "[1e100000]", "{\"v\":" + other + '}');
        assertThat(items(MANY + " ? (@ < $v)", "[7.50]", "{\"v\":8.5}")).hasSize(4_000);
    }

    @Test
    void aSubscriptThatFindsNothingCostsAStep() {
        String missing = "$[*][" + list(4_000, "9") + "]";
        assertIsTooMuch(missing, array(10_000, "1"), "{}");
    }

    @Test
    void aLongKeyCostsItsLengthAtEachComparison() {
        String name = "k".repeat(9_000);
        String members = IntStream.range(0, 64)
                .mapToObj(i -> "\"" + "k".repeat(8_990) + (1_000_000_000 + i) + "\":1")
                .collect(Collectors.joining(","));
        String object = "[[{" + members + "}]]";
        assertThat(items("$[*][*]." + name, object, "{}")).isEmpty();
        assertIsTooMuch(
                "$[" + String.join(",", Collections.nCopies(300, "0")) + "]["
                        + String.join(",", Collections.nCopies(100, "0")) + "]." + "k".repeat(8_000),
                object,
                "{}");
    }

    /** Of two keys whose lengths differ much, the longer one is not read. */
    @Test
    @Timeout(5)
    void aLongKeyCostsNothingForAShortName() {
        String subscripts = "[" + String.join(",", Collections.nCopies(200, "0")) + "]";
        String object = "[[{\"" + "é".repeat(LONG / 2) + "\":1}]]";
        assertThat(items("$" + subscripts + subscripts + ".k", object, "{}")).isEmpty();
    }

    /** The order is that of the bytes in UTF-8, not that of Java's characters. */
    @Test
    void textsAreInTheOrderOfTheirBytes() {
        String texts = "[\"\", \"a\", \"ab\", \"b\", \"é\", \"\uFFFD\", \"\uD83D\uDE00\", \"\uD83D\uDE01\"]";
        List<JsonValue> all = items("$[*]", texts, "{}");
        for (int i = 0; i < all.size(); i++) {
            String variable = "{\"v\":" + JsonWriter.text(all.get(i)) + "}";
            assertThat(items("$[*] ? (@ < $v)", texts, variable)).isEqualTo(all.subList(0, i));
            assertThat(items("$[*] ? (@ == $v)", texts, variable)).containsExactly(all.get(i));
        }
    }

    /** Keys that differ much in length are found by that; the order stays that of bytes. */
    @Test
    void keysOfAllLengthsAreFound() {
        List<String> keys = List.of("a", "é", "\uD83D\uDE00", "aaaa", "éé", "\uFFFD", "x".repeat(100), "aaa", "");
        String members =
                keys.stream().map(key -> "\"" + key + "\":\"" + key + '"').collect(Collectors.joining(","));
        assertThat(JsonText.canonical("{\"éé\":1,\"\uD83D\uDE00\":2,\"aaa\":3,\"aaaaa\":4}"))
                .isEqualTo("{\"aaa\": 3, \"éé\": 1, \"\uD83D\uDE00\": 2, \"aaaaa\": 4}");
        for (String key : keys) {
            assertThat(items("$.\"" + key + '"', '{' + members + '}', "{}")).containsExactly(new JsonValue.Text(key));
        }
    }

    /** It has no room for that, so most of it is not made. */
    @Test
    @Timeout(5)
    void aDocumentOfManyLargeItemsIsNotWritten() {
        JsonValue many = new JsonValue.Elements(items(MANY, '[' + text("") + ']', "{}"));
        assertThatThrownBy(() -> JsonWriter.text(many))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STRING_TOO_LONG));
    }
}
