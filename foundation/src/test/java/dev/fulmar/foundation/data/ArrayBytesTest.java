package dev.fulmar.foundation.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ArrayBytesTest {
    private static final ColumnType TEXT = ColumnType.varchar(1 << 20);
    private static final ColumnType INTEGER = ColumnType.of(TypeKind.INTEGER);

    /** The stored form of version 1, which every later one must read. */
    @Test
    void storedSamplesStayReadable() {
        assertThat(hex(List.of(1L, -2L), INTEGER)).isEqualTo("0480000001047ffffffe");
        assertThat(hex(Arrays.asList("a\0b", null, ""), TEXT)).isEqualTo("206100ff620000ff200000");
        assertThat(hex(List.of(true, false), ColumnType.of(TypeKind.BOOLEAN))).isEqualTo("01810180");
        assertThat(hex(List.of(1.5, -1.5), ColumnType.of(TypeKind.DOUBLE)))
                .isEqualTo("08bff8000000000000084007ffffffffffff");
        assertThat(hex(List.of(new BigDecimal("1.50")), ColumnType.decimal(10, 2)))
                .isEqualTo("088000000000000096");
        assertThat(hex(List.of(new BigDecimal("-1")), ColumnType.decimal(38, 0)))
                .isEqualTo("107fffffffffffffffffffffffffffffff");
        byte[] stored = HexFormat.of().parseHex("206100ff620000ff200000");
        assertThat(ArrayValues.list(stored, 0, stored.length, TEXT)).containsExactly("a\0b", null, "");
    }

    @Test
    void eachTypeOfElementsComesBack() {
        comesBack(List.of(true, false), ColumnType.of(TypeKind.BOOLEAN));
        comesBack(List.of(-128L, 127L), ColumnType.of(TypeKind.TINYINT));
        comesBack(List.of(-32768L, 32767L), ColumnType.of(TypeKind.SMALLINT));
        comesBack(List.of((long) Integer.MIN_VALUE, 0L, (long) Integer.MAX_VALUE), INTEGER);
        comesBack(List.of(Long.MIN_VALUE, -1L, Long.MAX_VALUE), ColumnType.of(TypeKind.BIGINT));
        comesBack(List.of(new BigDecimal("-0.01"), new BigDecimal("99.99")), ColumnType.decimal(4, 2));
        comesBack(List.of(new BigDecimal("-1e25").setScale(2)), ColumnType.decimal(38, 2));
        comesBack(List.of(-1.5f, Float.MAX_VALUE, Float.NaN), ColumnType.of(TypeKind.REAL));
        comesBack(List.of(-1e300, 0.0, Double.NEGATIVE_INFINITY), ColumnType.of(TypeKind.DOUBLE));
        comesBack(List.of("", "NULL", "a,\"b\"\\", "\u00e9\ud83d\ude00"), TEXT);
        comesBack(List.of(LocalDate.of(1, 1, 1), LocalDate.of(9999, 12, 31)), ColumnType.of(TypeKind.DATE));
        comesBack(List.of(LocalTime.of(23, 59, 59, 999_999_000)), ColumnType.of(TypeKind.TIME));
        comesBack(List.of(LocalDateTime.of(1969, 12, 31, 23, 59)), ColumnType.of(TypeKind.TIMESTAMP));
        comesBack(List.of(Instant.parse("2024-02-29T12:00:00.000001Z")), ColumnType.of(TypeKind.TIMESTAMP_TZ));
        comesBack(List.of(new UUID(-1, 1), new UUID(0, -1)), ColumnType.of(TypeKind.UUID));
    }

    private static void comesBack(List<?> values, ColumnType element) {
        List<@Nullable Object> withNull = new ArrayList<>(values);
        withNull.add(1, null);
        byte[] array = ArrayValues.bytes(withNull, element);
        assertThat(ArrayValues.list(array, 0, array.length, element)).isEqualTo(withNull);
        assertThat(ArrayBytes.count(array)).isEqualTo(withNull.size());
    }

    /** The order of elements, then NULL; of two arrays that begin alike the shorter one is less. */
    @Test
    void theOrderOfBytesIsThatOfArrays() {
        Random random = new Random(7);
        Comparator<@Nullable Object> elements = Comparator.nullsLast(Comparator.comparing(String.class::cast));
        for (int i = 0; i < 20_000; i++) {
            List<@Nullable Object> one = texts(random);
            List<@Nullable Object> other = texts(random);
            int expected = Arrays.compare(one.toArray(), other.toArray(), elements);
            int found = Arrays.compareUnsigned(ArrayValues.bytes(one, TEXT), ArrayValues.bytes(other, TEXT));
            assertThat(Integer.signum(found)).as("%s and %s", one, other).isEqualTo(Integer.signum(expected));
        }
        Comparator<@Nullable Object> numbers = Comparator.nullsLast(Comparator.comparing(Double.class::cast));
        for (int i = 0; i < 20_000; i++) {
            List<@Nullable Object> one = numbers(random);
            List<@Nullable Object> other = numbers(random);
            int expected = Arrays.compare(one.toArray(), other.toArray(), numbers);
            ColumnType type = ColumnType.of(TypeKind.DOUBLE);
            int found = Arrays.compareUnsigned(ArrayValues.bytes(one, type), ArrayValues.bytes(other, type));
            assertThat(Integer.signum(found)).as("%s and %s", one, other).isEqualTo(Integer.signum(expected));
        }
    }

    private static List<@Nullable Object> texts(Random random) {
        List<@Nullable Object> texts = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            int length = random.nextInt(3);
            String text = "";
            for (int n = 0; n < length; n++) {
                text += "\0\1a".charAt(random.nextInt(3));
            }
            texts.add(random.nextInt(5) == 0 ? null : text);
        }
        return texts;
    }

    private static List<@Nullable Object> numbers(Random random) {
        List<@Nullable Object> numbers = new ArrayList<>();
        double[] known = {Double.NEGATIVE_INFINITY, -1, 0, Double.MIN_VALUE, 2, Double.POSITIVE_INFINITY, Double.NaN};
        for (int i = random.nextInt(4); i > 0; i--) {
            numbers.add(random.nextInt(5) == 0 ? null : (Object) known[random.nextInt(known.length)]);
        }
        return numbers;
    }

    @Test
    void bothZerosAreOne() {
        assertThat(hex(List.of(-0.0), ColumnType.of(TypeKind.DOUBLE)))
                .isEqualTo(hex(List.of(0.0), ColumnType.of(TypeKind.DOUBLE)));
    }

    @Test
    void bytesThatAreNoArrayAreNotRead() {
        for (String bytes : List.of("08", "20", "206100", "2061", "04000000", "33", "2061000100")) {
            byte[] array = HexFormat.of().parseHex(bytes);
            assertThatThrownBy(() -> ArrayBytes.count(array))
                    .as(bytes)
                    .isInstanceOf(FulmarException.class)
                    .extracting(e -> ((FulmarException) e).code())
                    .isEqualTo(ErrorCode.CORRUPTION);
        }
    }

    @Test
    void anArrayHasALimit() {
        String half = "x".repeat(ArrayBytes.MOST_BYTES / 2);
        byte[] one = ArrayValues.bytes(List.of(half), TEXT);
        assertThatThrownBy(() -> ArrayValues.bytes(List.of(half, half), TEXT)).hasMessageContaining("1048576");
        assertThatThrownBy(() -> ArrayBytes.joined(one, one)).hasMessageContaining("1048576");
    }

    @Test
    void textsAreThoseOfPostgres() {
        assertThat(ArrayText.of(Arrays.asList("a", null, "null", "", "b c", "d\"\\e", "{", "f,g", "\u00e9")))
                .isEqualTo("{a,NULL,\"null\",\"\",\"b c\",\"d\\\"\\\\e\",\"{\",\"f,g\",\u00e9}");
        assertThat(ArrayText.elements(" { a , null,\"null\" , \"b c\",d\\,e , \\ f } "))
                .containsExactly("a", null, "null", "b c", "d,e", " f");
        assertThat(ArrayText.elements("{}")).isEmpty();
        for (String malformed :
                List.of("", "1,2", "{1", "{1,}", "{,1}", "{1}}", "{1}x", "{a\"b\"}", "{\"a\"b}", "{\"a", "{a\\")) {
            assertThatThrownBy(() -> ArrayText.elements(malformed))
                    .as(malformed)
                    .extracting(e -> ((FulmarException) e).code())
                    .isEqualTo(ErrorCode.INVALID_TEXT);
        }
        for (String refused : List.of("{{1}}", "[1:2]={1,2}")) {
            assertThatThrownBy(() -> ArrayText.elements(refused))
                    .as(refused)
                    .extracting(e -> ((FulmarException) e).code())
                    .isEqualTo(ErrorCode.NOT_SUPPORTED);
        }
    }

    @Test
    void aTypeOfArraysHasThatOfItsElements() {
        for (ColumnType element :
                List.of(INTEGER, TEXT, ColumnType.varchar(3), ColumnType.decimal(38, 38), ColumnType.decimal(1, 0))) {
            ColumnType array = ColumnType.array(element);
            assertThat(array.element()).isEqualTo(element);
            assertThat(array).hasToString(element + " ARRAY");
        }
        assertThatThrownBy(() -> ColumnType.array(ColumnType.of(TypeKind.JSONB)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ColumnType.array(ColumnType.array(INTEGER)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static String hex(List<? extends @Nullable Object> values, ColumnType element) {
        return HexFormat.of().formatHex(ArrayValues.bytes(values, element));
    }
}
