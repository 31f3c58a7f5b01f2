package dev.fulmar.engine.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.execution.function.ValueFunctions;
import dev.fulmar.engine.execution.value.ArrayTexts;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ArrayBytes;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Functions of arrays, and the texts of arrays of each type. */
class ArrayValuesTest {
    private static final ColumnType TEXT = ColumnType.varchar(1 << 20);
    private static final ColumnType INTEGER = ColumnType.of(TypeKind.INTEGER);

    private static byte[] integers(String text) {
        return ArrayTexts.parse(text, ColumnType.array(INTEGER), ZoneOffset.UTC);
    }

    private static byte[] texts(String text) {
        return ArrayTexts.parse(text, ColumnType.array(TEXT), ZoneOffset.UTC);
    }

    private static @Nullable Object call(ScalarFunction function, Object... arguments) {
        Object result = ValueFunctions.of(function).of(arguments);
        return result instanceof byte[] array && function != ScalarFunction.ARRAY_SPLIT
                ? ArrayTexts.text(array, INTEGER, ZoneOffset.UTC)
                : result;
    }

    @Test
    void textsOfAllTypesComeBack() {
        comesBack("{t,f,NULL}", ColumnType.of(TypeKind.BOOLEAN));
        comesBack("{-32768,NULL,7}", ColumnType.of(TypeKind.SMALLINT));
        comesBack("{-9223372036854775808,9223372036854775807}", ColumnType.of(TypeKind.BIGINT));
        comesBack("{1.50,-99.99}", ColumnType.decimal(4, 2));
        comesBack("{12345678901234567890.123,-0.001}", ColumnType.decimal(38, 3));
        comesBack("{1.5,-2,NaN}", ColumnType.of(TypeKind.REAL));
        comesBack("{1.5,Infinity}", ColumnType.of(TypeKind.DOUBLE));
        comesBack("{\"\",\"NULL\",\"a b\",é}", TEXT);
        comesBack("{2024-02-29}", ColumnType.of(TypeKind.DATE));
        comesBack("{\"2024-02-29 10:00:00\"}", ColumnType.of(TypeKind.TIMESTAMP));
        comesBack("{00000000-0000-0001-ffff-ffffffffffff}", ColumnType.of(TypeKind.UUID));
    }

    private static void comesBack(String text, ColumnType element) {
        byte[] array = ArrayTexts.parse(text, ColumnType.array(element), ZoneOffset.UTC);
        assertThat(ArrayTexts.text(array, element, ZoneOffset.UTC)).isEqualTo(text);
    }

    @Test
    void instantsAreOfTheZone() {
        ColumnType instant = ColumnType.of(TypeKind.TIMESTAMP_TZ);
        byte[] array = ArrayTexts.parse(
                "{2024-07-01 12:00:00,\"2024-07-01 12:00:00+00\"}",
                ColumnType.array(instant),
                ZoneId.of("Europe/Oslo"));
        assertThat(ArrayTexts.text(array, instant, ZoneOffset.UTC))
                .isEqualTo("{\"2024-07-01 10:00:00+00\",\"2024-07-01 12:00:00+00\"}");
    }

    @Test
    void whatDoesNotFitIsRefused() {
        fails(ErrorCode.VALUE_OUT_OF_RANGE, "{2147483648}", INTEGER);
        fails(ErrorCode.INVALID_TEXT, "{1,x}", INTEGER);
        fails(ErrorCode.STRING_TOO_LONG, "{abcd}", ColumnType.varchar(3));
        fails(ErrorCode.STRING_TOO_LONG, "{" + "x".repeat(ArrayBytes.MOST_BYTES) + "}", TEXT);
        byte[] cut = ArrayTexts.parse("{\"abc  \"}", ColumnType.array(ColumnType.varchar(3)), ZoneOffset.UTC);
        assertThat(ArrayTexts.text(cut, TEXT, ZoneOffset.UTC)).isEqualTo("{abc}");
    }

    private static void fails(ErrorCode code, String text, ColumnType element) {
        assertThatThrownBy(() -> ArrayTexts.parse(text, ColumnType.array(element), ZoneOffset.UTC))
                .isInstanceOf(FulmarException.class)
                .extracting(e -> ((FulmarException) e).code())
                .isEqualTo(code);
    }

    /** {@code x = ANY (a)} is unknown where a NULL may be the value, but not of an empty array. */
    @Test
    void aValueIsAnElementAsInSays() {
        assertThat(call(ScalarFunction.ARRAY_HAS, integers("{1,NULL}"), integers("{1}")))
                .isEqualTo(true);
        assertThat(call(ScalarFunction.ARRAY_HAS, integers("{1,NULL}"), integers("{2}")))
                .isNull();
        assertThat(call(ScalarFunction.ARRAY_HAS, integers("{1}"), integers("{2}")))
                .isEqualTo(false);
        assertThat(call(ScalarFunction.ARRAY_HAS, integers("{1}"), integers("{NULL}")))
                .isNull();
        assertThat(call(ScalarFunction.ARRAY_HAS, integers("{}"), integers("{NULL}")))
                .isEqualTo(false);
    }

    @Test
    void elementsAreFoundAndReplaced() {
        byte[] array = integers("{1,NULL,2,1}");
        assertThat(call(ScalarFunction.ARRAY_POSITION, array, integers("{1}"), 2L))
                .isEqualTo(4L);
        assertThat(call(ScalarFunction.ARRAY_POSITION, array, integers("{NULL}"), -5L))
                .isEqualTo(2L);
        assertThat(call(ScalarFunction.ARRAY_POSITIONS, array, integers("{1}"))).isEqualTo("{1,4}");
        assertThat(call(ScalarFunction.ARRAY_REMOVE, array, integers("{1}"))).isEqualTo("{NULL,2}");
        assertThat(call(ScalarFunction.ARRAY_REPLACE, array, integers("{NULL}"), integers("{9}")))
                .isEqualTo("{1,9,2,1}");
        assertThat(call(ScalarFunction.ARRAY_LENGTH, array, 1L)).isEqualTo(4L);
        assertThat(call(ScalarFunction.ARRAY_LENGTH, array, 2L)).isNull();
        assertThat(call(ScalarFunction.ARRAY_LENGTH, integers("{}"), 1L)).isNull();
        assertThat(call(ScalarFunction.ARRAY_CARDINALITY, integers("{}"))).isEqualTo(0L);
    }

    @Test
    void nullIsInNoOtherArray() {
        assertThat(call(ScalarFunction.ARRAY_CONTAINS, integers("{1,2,3}"), integers("{3,3,1}")))
                .isEqualTo(true);
        assertThat(call(ScalarFunction.ARRAY_CONTAINS, integers("{NULL}"), integers("{NULL}")))
                .isEqualTo(false);
        assertThat(call(ScalarFunction.ARRAY_CONTAINS, integers("{}"), integers("{}")))
                .isEqualTo(true);
        assertThat(call(ScalarFunction.ARRAY_OVERLAPS, integers("{NULL,1}"), integers("{NULL,2}")))
                .isEqualTo(false);
        assertThat(call(ScalarFunction.ARRAY_OVERLAPS, integers("{1,2}"), integers("{5,2}")))
                .isEqualTo(true);
    }

    /** As many elements as an array may have, where each is looked for among all of the other one. */
    @Test
    void manyElementsTakeNoQuadraticTime() {
        StringBuilder one = new StringBuilder("{0");
        StringBuilder other = new StringBuilder("{-1");
        for (int i = 1; i < 200_000; i++) {
            one.append(',').append(2 * i);
            other.append(',').append(2 * i + 1);
        }
        byte[] even = integers(one.append('}').toString());
        byte[] odd = integers(other.append('}').toString());
        assertThat(call(ScalarFunction.ARRAY_OVERLAPS, even, odd)).isEqualTo(false);
        assertThat(call(ScalarFunction.ARRAY_CONTAINS, even, even)).isEqualTo(true);
    }

    @Test
    void textsAreSplitAndJoined() {
        assertThat(split("a,b,,c", "{\",\"}", "{NULL}")).isEqualTo("{a,b,\"\",c}");
        assertThat(split("a,b,,c", "{\",\"}", "{\"\"}")).isEqualTo("{a,b,NULL,c}");
        assertThat(split("a\ud83d\ude00", "{NULL}", "{NULL}")).isEqualTo("{a,\ud83d\ude00}");
        assertThat(split("ab", "{\"\"}", "{NULL}")).isEqualTo("{ab}");
        assertThat(split("", "{\",\"}", "{NULL}")).isEqualTo("{}");
        assertThat(call(ScalarFunction.ARRAY_JOIN, "{a,NULL,\"b c\"}", "-", texts("{NULL}")))
                .isEqualTo("a-b c");
        assertThat(call(ScalarFunction.ARRAY_JOIN, "{a,NULL,\"b c\"}", "-", texts("{?}")))
                .isEqualTo("a-?-b c");
        List<Object> many = Arrays.asList("{" + "x,".repeat(9) + "x}", "y".repeat(200_000), texts("{NULL}"));
        assertThatThrownBy(() -> call(ScalarFunction.ARRAY_JOIN, many.toArray()))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining("1048576");
    }

    private static String split(String text, String separator, String ofNull) {
        Object parts = call(ScalarFunction.ARRAY_SPLIT, text, texts(separator), texts(ofNull));
        if (!(parts instanceof byte[] array)) {
            throw new AssertionError("the parts of a text are an array, not " + parts);
        }
        return ArrayTexts.text(array, TEXT, ZoneOffset.UTC);
    }
}
