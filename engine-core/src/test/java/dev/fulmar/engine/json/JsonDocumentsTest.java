package dev.fulmar.engine.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents are read, written and compared as PostgreSQL does. */
class JsonDocumentsTest {
    private static final String ALPHABET = "{}[],:\"\\u0123.eE+-tfnrueals \n\u0001é";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"b\":1,\"a\" : [ 1,2 ]}|{\"a\": [1, 2], \"b\": 1}",
                "{\"aa\":1,\"b\":2,\"a\":3}|{\"a\": 3, \"b\": 2, \"aa\": 1}",
                "{\"a\":1,\"a\":2}|{\"a\": 2}",
                "{\"\\u0061\":1,\"a\":2}|{\"a\": 2}",
                "[1.50, 1e2, 1E-3, -0, -0.0, 0e5]|[1.50, 100, 0.001, 0, 0.0, 0]",
                "\"\\u00e9\\/\\ud83d\\ude00\\u001f\"|\"é/😀\\u001f\"",
                "{}|{}",
                "[]|[]",
                " null |null",
            })
    void aDocumentHasOneCanonicalText(String written, String canonical) {
        assertThat(JsonText.canonical(written)).isEqualTo(canonical);
        assertThat(JsonText.canonical(canonical)).isEqualTo(canonical);
        assertThat(JsonText.of(written, ColumnType.of(TypeKind.JSON))).isEqualTo(written);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "}",
                "[1,]",
                "{\"a\"}",
                "{\"a\":}",
                "{a:1}",
                "{'a':1}",
                "01",
                "1.",
                ".5",
                "-",
                "+1",
                "1e",
                "1e+",
                "tru",
                "True",
                "nul",
                "\"",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\t\"",
                "[1 2]",
                "1 2",
                "{\"a\":1,}",
                "NaN",
                "\u00a01",
                "\\u0031"
            })
    void whatIsNoJsonIsRefusedForBothTypes(String text) {
        for (TypeKind kind : List.of(TypeKind.JSON, TypeKind.JSONB)) {
            fails(ErrorCode.INVALID_TEXT, () -> JsonText.of(text, ColumnType.of(kind)));
        }
    }

    @Test
    void charactersThatNoTextHasAreLeftInJsonAlone() {
        ColumnType json = ColumnType.of(TypeKind.JSON);
        assertThat(JsonText.of("\"\\u0000\"", json)).isEqualTo("\"\\u0000\"");
        assertThat(JsonText.of("\"\\ud800\"", json)).isEqualTo("\"\\ud800\"");
        fails(ErrorCode.UNTRANSLATABLE_CHARACTER, () -> JsonText.canonical("\"\\u0000\""));
        fails(ErrorCode.UNTRANSLATABLE_CHARACTER, () -> JsonParts.text("\"\\u0000\""));
        fails(ErrorCode.INVALID_TEXT, () -> JsonText.canonical("\"\\ud800\""));
        fails(ErrorCode.INVALID_TEXT, () -> JsonText.canonical("\"\\udc00\""));
        fails(ErrorCode.INVALID_TEXT, () -> JsonText.canonical("\"\\ud800\\u0041\""));
    }

    @Test
    void nestingHasALimitThatNoStackMeets() {
        int most = JsonReader.MOST_LEVELS;
        String deepest = "[".repeat(most) + "]".repeat(most);
        assertThat(JsonText.canonical(deepest)).isEqualTo(deepest);
        for (String open : List.of("[", "{\"a\":", "[{\"a\":")) {
            for (TypeKind kind : List.of(TypeKind.JSON, TypeKind.JSONB)) {
                fails(ErrorCode.STATEMENT_TOO_COMPLEX, () -> JsonText.of(open.repeat(100_000), ColumnType.of(kind)));
            }
        }
    }

    @Test
    void documentsAndNumbersHaveALimit() {
        fails(ErrorCode.STRING_TOO_LONG, () -> JsonText.canonical("\"" + "x".repeat(1 << 20) + "\""));
        fails(ErrorCode.VALUE_OUT_OF_RANGE, () -> JsonText.canonical("1e131072"));
        fails(ErrorCode.VALUE_OUT_OF_RANGE, () -> JsonText.canonical("1e-16384"));
        fails(ErrorCode.VALUE_OUT_OF_RANGE, () -> JsonText.canonical("1e999999999999"));
        fails(ErrorCode.VALUE_OUT_OF_RANGE, () -> JsonText.canonical("1e-2147483648"));
        assertThat(JsonText.canonical("1e000000000000002")).isEqualTo("100");
    }

    @Test
    void theOrderIsThatOfPostgres() {
        List<String> ascending = List.of(
                "[]",
                "null",
                "\"\"",
                "\"a\"",
                "\"aa\"",
                "\"b\"",
                "-100",
                "-1.5",
                "-1",
                "0",
                "0.5",
                "1",
                "9",
                "10",
                "100.5",
                "false",
                "true",
                "[null]",
                "[1]",
                "[[]]",
                "[{}]",
                "[1, 2]",
                "[2, 1]",
                "{}",
                "{\"a\": 1}",
                "{\"a\": 2}",
                "{\"b\": 1}",
                "{\"a\": 1, \"b\": 1}");
        for (int i = 0; i < ascending.size(); i++) {
            for (int j = 0; j < ascending.size(); j++) {
                assertThat(Integer.signum(compare(ascending.get(i), ascending.get(j))))
                        .as("%s and %s", ascending.get(i), ascending.get(j))
                        .isEqualTo(Integer.compare(i, j));
            }
        }
        assertThat(compare("1.0", "1.00")).isZero();
        assertThat(compare("{\"a\": [1.0]}", "{\"a\": [1]}")).isZero();
        assertThat(compare("0", "0.000")).isZero();
    }

    private static int compare(String one, String other) {
        return Arrays.compareUnsigned(JsonOrder.bytes(JsonReader.value(one)), JsonOrder.bytes(JsonReader.value(other)));
    }

    @Test
    void anyTextIsReadOrRefused() {
        Random random = new Random(5);
        int read = 0;
        for (int i = 0; i < 200_000; i++) {
            StringBuilder text = new StringBuilder(i % 2 == 0 ? "{\"a\":[1,\"b\",true,null,{\"c\":-1.5e1}]}" : "");
            for (int j = random.nextInt(6); j >= 0; j--) {
                int place = random.nextInt(text.length() + 1);
                if (random.nextBoolean() && place < text.length()) {
                    text.deleteCharAt(place);
                } else {
                    text.insert(place, ALPHABET.charAt(random.nextInt(ALPHABET.length())));
                }
            }
            read += isRead(text.toString()) ? 1 : 0;
        }
        assertThat(read).isBetween(5_000, 190_000);
    }

    /** JSON takes all that JSONB takes, and parts of a document are documents. */
    private static boolean isRead(String text) {
        try {
            String canonical = JsonText.canonical(text);
            JsonReader.check(text);
            assertThat(JsonText.canonical(canonical)).isEqualTo(canonical);
            JsonParts.visit(canonical, (key, from, to) -> {
                String part = canonical.substring(from, to);
                assertThat(JsonText.canonical(part)).isEqualTo(part);
            });
            return true;
        } catch (FulmarException e) {
            assertThat(e.code())
                    .isIn(ErrorCode.INVALID_TEXT, ErrorCode.UNTRANSLATABLE_CHARACTER, ErrorCode.VALUE_OUT_OF_RANGE);
            return false;
        }
    }

    @Test
    void partsAreFoundAsTheyAreWritten() {
        String document = "{\"a\" : [ 1 , {\"b\": \"x\\ty\"} ], \"a\\u0062\": null, \"d\":1, \"d\": 2.0}";
        assertThat(JsonParts.member(document, "a")).isEqualTo("[ 1 , {\"b\": \"x\\ty\"} ]");
        assertThat(JsonParts.member(document, "ab")).isEqualTo("null");
        assertThat(JsonParts.member(document, "d")).isEqualTo("2.0");
        assertThat(JsonParts.member(document, "e")).isNull();
        assertThat(JsonParts.member("[1]", "a")).isNull();
        assertThat(JsonParts.element("[1, [2, 3]]", 1, false)).isEqualTo("[2, 3]");
        assertThat(JsonParts.element("[1, [2, 3]]", -2, false)).isEqualTo("1");
        assertThat(JsonParts.element("[1, [2, 3]]", -3, false)).isNull();
        assertThat(JsonParts.element("[]", 0, false)).isNull();
        assertThat(JsonParts.element("1", 0, false)).isNull();
        assertThat(JsonParts.element("1", -1, true)).isEqualTo("1");
        assertThat(JsonParts.element("1", 1, true)).isNull();
        assertThat(JsonParts.element("{}", 0, true)).isNull();
        assertThat(JsonParts.text(JsonParts.atPath(document, JsonPath.elements("{a,1,b}"))))
                .isEqualTo("x\ty");
        assertThat(JsonParts.atPath(document, JsonPath.elements("{a,x}"))).isNull();
        assertThat(JsonParts.atPath("1", List.of())).isEqualTo("1");
        assertThat(JsonParts.text("null")).isNull();
        assertThat(JsonParts.text("[null]")).isEqualTo("[null]");
    }

    @Test
    void listsOfKeysAreArraysOfPostgres() {
        assertThat(JsonPath.elements("{}")).isEmpty();
        assertThat(JsonPath.elements(" { a , \"b \\\"c\" ,NULL, \"NULL\" , x y } "))
                .containsExactly("a", "b \"c", null, "NULL", "x y");
        assertThat(JsonPath.elements(JsonPath.text(List.of("a", "", "\"\\{},", "null"))))
                .containsExactly("a", "", "\"\\{},", "null");
        for (String wrong : List.of("", "a", "{", "{a", "{a,}", "{,a}", "{a}x", "{{a}}", "{\"a}", "{a\\", "{a\"b\"}")) {
            fails(ErrorCode.INVALID_TEXT, () -> JsonPath.elements(wrong));
        }
    }

    private static void fails(ErrorCode code, Runnable work) {
        assertThatThrownBy(work::run)
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
