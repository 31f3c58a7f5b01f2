package dev.fulmar.engine.execution;

import static dev.fulmar.engine.execution.Plans.BIGINT;
import static dev.fulmar.engine.execution.Plans.BOOLEAN;
import static dev.fulmar.engine.execution.Plans.DATE;
import static dev.fulmar.engine.execution.Plans.DOUBLE;
import static dev.fulmar.engine.execution.Plans.INTEGER;
import static dev.fulmar.engine.execution.Plans.REAL;
import static dev.fulmar.engine.execution.Plans.TEXT;
import static dev.fulmar.engine.execution.Plans.TIME;
import static dev.fulmar.engine.execution.Plans.TIMESTAMP;
import static dev.fulmar.engine.execution.Plans.UUID;
import static dev.fulmar.engine.execution.Plans.call;
import static dev.fulmar.engine.execution.Plans.integer;
import static dev.fulmar.engine.execution.Plans.literal;
import static dev.fulmar.engine.execution.Plans.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ScalarFunctionTest extends ScalarFixture {
    @Test
    void nullPassesThroughEveryStrictFunction() {
        Expression nothing = literal(BIGINT, null);
        Expression noText = literal(TEXT, null);
        for (ScalarFunction function : List.of(
                ScalarFunction.PLUS,
                ScalarFunction.MINUS,
                ScalarFunction.TIMES,
                ScalarFunction.DIVIDE,
                ScalarFunction.MODULO,
                ScalarFunction.GREATEST,
                ScalarFunction.LEAST)) {
            assertThat(value(function, BIGINT, nothing, integer(0))).isNull();
            assertThat(value(function, BIGINT, integer(Long.MIN_VALUE), nothing))
                    .isNull();
            assertThat(value(function, ColumnType.decimal(20, 2), nothing, decimal("1.00", 20, 2)))
                    .isNull();
            assertThat(value(function, DOUBLE, number(1), literal(DOUBLE, null)))
                    .isNull();
        }
        for (ScalarFunction function : List.of(
                ScalarFunction.ABS,
                ScalarFunction.SIGN,
                ScalarFunction.ROUND,
                ScalarFunction.FLOOR,
                ScalarFunction.NEGATE)) {
            assertThat(value(function, BIGINT, nothing)).isNull();
        }
        for (ScalarFunction function :
                List.of(ScalarFunction.SQRT, ScalarFunction.EXP, ScalarFunction.LN, ScalarFunction.LOG10)) {
            assertThat(value(function, DOUBLE, literal(DOUBLE, null))).isNull();
        }
        for (ScalarFunction function : List.of(ScalarFunction.UPPER, ScalarFunction.LOWER)) {
            assertThat(value(function, TEXT, noText)).isNull();
        }
        assertThat(value(ScalarFunction.CHAR_LENGTH, INTEGER, noText)).isNull();
        assertThat(value(ScalarFunction.OCTET_LENGTH, INTEGER, noText)).isNull();
        assertThat(value(ScalarFunction.CONCAT, TEXT, text("a"), noText)).isNull();
        assertThat(value(ScalarFunction.SUBSTRING, TEXT, noText, integer(1))).isNull();
        assertThat(value(ScalarFunction.SUBSTRING, TEXT, text("a"), nothing)).isNull();
        assertThat(value(ScalarFunction.SUBSTRING, TEXT, text("a"), integer(1), nothing))
                .isNull();
        assertThat(value(ScalarFunction.POSITION, INTEGER, noText, text("a"))).isNull();
        assertThat(value(ScalarFunction.REPLACE, TEXT, text("a"), noText, text("a")))
                .isNull();
        assertThat(value(ScalarFunction.TRIM_BOTH, TEXT, noText, text("a"))).isNull();
        assertThat(value(ScalarFunction.LIKE, BOOLEAN, noText, text("a"))).isNull();
        assertThat(value(ScalarFunction.LIKE, BOOLEAN, text("a"), noText)).isNull();
        assertThat(value(ScalarFunction.EXTRACT_YEAR, BIGINT, literal(DATE, null)))
                .isNull();
    }

    @Test
    void comparisonsMixNumbersAndKnowNulls() {
        assertThat(value(Plans.equal(integer(1), number(1)))).isEqualTo(true);
        assertThat(value(Plans.equal(integer(1), decimal("1.00", 5, 2)))).isEqualTo(true);
        assertThat(value(Plans.compare(ScalarFunction.LESS, decimal("1.001", 30, 3), integer(1))))
                .isEqualTo(false);
        assertThat(value(Plans.compare(ScalarFunction.GREATER, text("b"), text("ab"))))
                .isEqualTo(true);
        assertThat(value(Plans.compare(ScalarFunction.GREATER, text("\u00e9"), text("z"))))
                .isEqualTo(true);
        assertThat(value(Plans.compare(ScalarFunction.LESS, text("a"), text("aa"))))
                .isEqualTo(true);
        assertThat(value(Plans.compare(ScalarFunction.LESS_OR_EQUAL, integer(2), integer(2))))
                .isEqualTo(true);
        assertThat(value(Plans.compare(ScalarFunction.GREATER_OR_EQUAL, number(-0.0), number(0.0))))
                .isEqualTo(true);
        assertThat(value(Plans.compare(ScalarFunction.NOT_EQUAL, integer(2), literal(BIGINT, null))))
                .isNull();
        assertThat(value(Plans.equal(literal(TEXT, null), text("a")))).isNull();
        java.util.UUID low = new java.util.UUID(1, 2);
        java.util.UUID high = new java.util.UUID(-1, 0);
        assertThat(value(Plans.compare(ScalarFunction.LESS, literal(UUID, low), literal(UUID, high))))
                .isEqualTo(true);
        assertThat(value(call(
                        ScalarFunction.IS_NOT_DISTINCT_FROM, BOOLEAN, literal(BIGINT, null), literal(BIGINT, null))))
                .isEqualTo(true);
        assertThat(value(call(ScalarFunction.IS_NOT_DISTINCT_FROM, BOOLEAN, literal(BIGINT, null), integer(0))))
                .isEqualTo(false);
        assertThat(value(call(ScalarFunction.IS_NOT_DISTINCT_FROM, BOOLEAN, text("a"), text("a"))))
                .isEqualTo(true);
        fails(ErrorCode.TYPE_MISMATCH, Plans.equal(text("1"), integer(1)));
    }

    @Test
    void logicHasThreeValues() {
        Expression[] values = {TRUE, FALSE, UNKNOWN};
        for (Expression left : values) {
            for (Expression right : values) {
                Boolean a = (Boolean) value(left);
                Boolean b = (Boolean) value(right);
                boolean someFalse = Boolean.FALSE.equals(a) || Boolean.FALSE.equals(b);
                boolean someTrue = Boolean.TRUE.equals(a) || Boolean.TRUE.equals(b);
                boolean someNull = a == null || b == null;
                Object and = someFalse ? Boolean.FALSE : someNull ? null : Boolean.TRUE;
                Object or = someTrue ? Boolean.TRUE : someNull ? null : Boolean.FALSE;
                assertThat(value(ScalarFunction.AND, BOOLEAN, left, right)).isEqualTo(and);
                assertThat(value(ScalarFunction.OR, BOOLEAN, left, right, FALSE))
                        .isEqualTo(or);
            }
            Boolean a = (Boolean) value(left);
            assertThat(value(ScalarFunction.NOT, BOOLEAN, left)).isEqualTo(a == null ? null : !a);
            assertThat(value(ScalarFunction.IS_TRUE, BOOLEAN, left)).isEqualTo(Boolean.TRUE.equals(a));
            assertThat(value(ScalarFunction.IS_NOT_TRUE, BOOLEAN, left)).isEqualTo(!Boolean.TRUE.equals(a));
            assertThat(value(ScalarFunction.IS_FALSE, BOOLEAN, left)).isEqualTo(Boolean.FALSE.equals(a));
            assertThat(value(ScalarFunction.IS_NOT_FALSE, BOOLEAN, left)).isEqualTo(!Boolean.FALSE.equals(a));
            assertThat(value(ScalarFunction.IS_NULL, BOOLEAN, left)).isEqualTo(a == null);
            assertThat(value(ScalarFunction.IS_NOT_NULL, BOOLEAN, left)).isEqualTo(a != null);
        }
    }

    @Test
    void conditionalsChooseWithoutEvaluatingTheRest() {
        Expression broken = call(ScalarFunction.DIVIDE, BIGINT, integer(1), integer(0));
        assertThat(value(ScalarFunction.CASE, BIGINT, FALSE, broken, UNKNOWN, broken, TRUE, integer(3), broken))
                .isEqualTo(3L);
        assertThat(value(ScalarFunction.CASE, BIGINT, FALSE, broken, integer(4)))
                .isEqualTo(4L);
        assertThat(value(ScalarFunction.CASE, TEXT, FALSE, text("x"))).isNull();
        assertThat(value(ScalarFunction.CASE, ColumnType.decimal(10, 2), TRUE, integer(1), decimal("2.00", 10, 2)))
                .isEqualTo(new BigDecimal("1.00"));
        assertThat(value(ScalarFunction.COALESCE, BIGINT, literal(BIGINT, null), integer(5), broken))
                .isEqualTo(5L);
        assertThat(value(ScalarFunction.COALESCE, TEXT, literal(TEXT, null), literal(TEXT, null)))
                .isNull();
        assertThat(value(ScalarFunction.COALESCE, TEXT, literal(TEXT, null), text("t")))
                .isEqualTo("t");
        assertThat(value(ScalarFunction.GREATEST, BIGINT, integer(1), integer(9), integer(5)))
                .isEqualTo(9L);
        assertThat(value(ScalarFunction.LEAST, TEXT, text("b"), text("a"), text("c")))
                .isEqualTo("a");
    }

    @Test
    void theGreatestAndTheLeastOfWhatIsKnownLeaveNullsOut() {
        record Case(ColumnType type, Expression least, Expression greatest) {}
        List<Case> cases = List.of(
                new Case(BIGINT, integer(-7), integer(9)),
                new Case(DOUBLE, number(-0.5), number(Double.NaN)),
                new Case(ColumnType.decimal(30, 2), decimal("-1.00", 30, 2), decimal("1.00", 30, 2)),
                new Case(TEXT, text("a"), text("b")));
        for (Case each : cases) {
            Expression nothing = literal(each.type(), null);
            Object least = value(each.least());
            Object greatest = value(each.greatest());
            for (List<Expression> order : List.of(
                    List.of(nothing, each.least(), nothing, each.greatest()),
                    List.of(each.greatest(), nothing, each.least()))) {
                Expression[] arguments = order.toArray(Expression[]::new);
                assertThat(value(ScalarFunction.GREATEST_KNOWN, each.type(), arguments))
                        .isEqualTo(greatest);
                assertThat(value(ScalarFunction.LEAST_KNOWN, each.type(), arguments))
                        .isEqualTo(least);
                assertThat(value(ScalarFunction.LEAST, each.type(), arguments)).isNull();
            }
            assertThat(value(ScalarFunction.GREATEST, each.type(), each.least(), each.greatest()))
                    .isEqualTo(greatest);
            assertThat(value(ScalarFunction.LEAST_KNOWN, each.type(), nothing, nothing))
                    .isNull();
        }
    }

    /** With one more computation of a value for each level, these would not end. */
    @Test
    void eachValueOfTheGreatestIsComputedOnce() {
        Expression many = call(
                ScalarFunction.GREATEST,
                BIGINT,
                IntStream.range(0, 100).mapToObj(i -> integer(i)).toArray(Expression[]::new));
        assertThat(value(many)).isEqualTo(99L);
        Expression deep = integer(1);
        for (int i = 0; i < 50; i++) {
            deep = call(ScalarFunction.LEAST_KNOWN, BIGINT, deep, integer(i));
        }
        assertThat(value(deep)).isEqualTo(0L);
    }

    @Test
    void knownTextsStandOneBehindAnotherWithASeparatorBetween() {
        Expression nothing = literal(TEXT, null);
        Expression comma = text(", ");
        assertThat(value(ScalarFunction.CONCAT_KNOWN, TEXT, comma, nothing, text("a"), nothing, text(""), text("b")))
                .isEqualTo("a, , b");
        assertThat(value(ScalarFunction.CONCAT_KNOWN, TEXT, comma, nothing)).isEqualTo("");
        assertThat(value(ScalarFunction.CONCAT_KNOWN, TEXT, nothing, text("a"))).isNull();
    }

    @Test
    void inIsThreeValued() {
        Expression nothing = literal(BIGINT, null);
        assertThat(value(ScalarFunction.IN, BOOLEAN, integer(2), integer(1), integer(2)))
                .isEqualTo(true);
        assertThat(value(ScalarFunction.IN, BOOLEAN, integer(3), integer(1), integer(2)))
                .isEqualTo(false);
        assertThat(value(ScalarFunction.IN, BOOLEAN, integer(3), integer(1), nothing))
                .isNull();
        assertThat(value(ScalarFunction.IN, BOOLEAN, integer(1), nothing, integer(1)))
                .isEqualTo(true);
        assertThat(value(ScalarFunction.IN, BOOLEAN, nothing, integer(1), integer(2)))
                .isNull();
        assertThat(value(ScalarFunction.IN, BOOLEAN, text("x"), text("y"), text("x")))
                .isEqualTo(true);
    }

    @Test
    void likeMatchesPatterns() {
        record Case(String text, String pattern, boolean matches) {}
        List<Case> cases = List.of(
                new Case("abc", "abc", true),
                new Case("abc", "ab", false),
                new Case("abc", "a%", true),
                new Case("abc", "%c", true),
                new Case("abc", "%b%", true),
                new Case("abc", "a_c", true),
                new Case("abc", "____", false),
                new Case("", "%", true),
                new Case("", "", true),
                new Case("a", "", false),
                new Case("aaab", "%aab", true),
                new Case("mississippi", "m%iss%pi", true),
                new Case("mississippi", "m%iss%px", false),
                new Case("d\u00e9j\u00e0", "d_j_", true),
                new Case("\ud83d\ude00x", "_x", true),
                new Case("a%b", "a!%b", true),
                new Case("axb", "a!%b", false),
                new Case("a!b", "a!!b", true),
                new Case("a_b", "%!_%", true),
                new Case("ab", "%!_%", false));
        for (Case one : cases) {
            assertThat(value(ScalarFunction.LIKE, BOOLEAN, text(one.text()), text(one.pattern()), text("!")))
                    .as("%s", one)
                    .isEqualTo(one.matches());
        }
        assertThat(value(ScalarFunction.LIKE, BOOLEAN, text("a!b"), text("a!b")))
                .isEqualTo(true);
        fails(ErrorCode.INVALID_TEXT, call(ScalarFunction.LIKE, BOOLEAN, text("ab"), text("a!b"), text("!")));
        fails(ErrorCode.INVALID_TEXT, call(ScalarFunction.LIKE, BOOLEAN, text("a"), text("a!"), text("!")));
    }

    /** Random texts against the regular expression of the pattern. */
    @Test
    void likeAgreesWithRegularExpressions() {
        Random random = new Random(3);
        String letters = "ab%_\u00e9";
        for (int i = 0; i < 4000; i++) {
            String subject = random(random, "ab\u00e9", random.nextInt(8));
            String pattern = random(random, letters, random.nextInt(6));
            StringBuilder expression = new StringBuilder();
            for (char letter : pattern.toCharArray()) {
                expression.append(letter == '%' ? ".*" : letter == '_' ? "." : String.valueOf(letter));
            }
            assertThat(value(ScalarFunction.LIKE, BOOLEAN, text(subject), text(pattern)))
                    .as("%s LIKE %s", subject, pattern)
                    .isEqualTo(subject.matches(expression.toString()));
        }
    }

    private static String random(Random random, String letters, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(letters.charAt(random.nextInt(letters.length())));
        }
        return text.toString();
    }

    @Test
    void textFunctionsCountCharacters() {
        Expression word = text("d\u00e9j\u00e0 \ud83d\ude00");
        assertThat(value(ScalarFunction.CHAR_LENGTH, INTEGER, word)).isEqualTo(6L);
        assertThat(value(ScalarFunction.OCTET_LENGTH, INTEGER, word)).isEqualTo(11L);
        assertThat(value(ScalarFunction.SUBSTRING, TEXT, word, integer(2), integer(3)))
                .isEqualTo("\u00e9j\u00e0");
        assertThat(value(ScalarFunction.SUBSTRING, TEXT, word, integer(6))).isEqualTo("\ud83d\ude00");
        assertThat(value(ScalarFunction.SUBSTRING, TEXT, text("abc"), integer(0), integer(2)))
                .isEqualTo("a");
        assertThat(value(ScalarFunction.SUBSTRING, TEXT, text("abc"), integer(-5), integer(3)))
                .isEqualTo("");
        assertThat(value(ScalarFunction.SUBSTRING, TEXT, text("abc"), integer(9)))
                .isEqualTo("");
        assertThat(value(ScalarFunction.SUBSTRING, TEXT, text("abc"), integer(2), integer(Long.MAX_VALUE)))
                .isEqualTo("bc");
        fails(ErrorCode.SUBSTRING_ERROR, call(ScalarFunction.SUBSTRING, TEXT, text("abc"), integer(1), integer(-1)));
        assertThat(value(ScalarFunction.UPPER, TEXT, text("aZ[@z{"))).isEqualTo("AZ[@Z{");
        assertThat(value(ScalarFunction.LOWER, TEXT, text("aZ[@`"))).isEqualTo("az[@`");
        assertThat(value(ScalarFunction.UPPER, TEXT, text("stra\u00dfe"))).isEqualTo("STRASSE");
        assertThat(value(ScalarFunction.POSITION, INTEGER, text("\u00e0"), word))
                .isEqualTo(4L);
        assertThat(value(ScalarFunction.POSITION, INTEGER, text("q"), word)).isEqualTo(0L);
        assertThat(value(ScalarFunction.POSITION, INTEGER, text(""), word)).isEqualTo(1L);
        assertThat(value(ScalarFunction.CONCAT, TEXT, text("a"), text(""), text("\u00e9")))
                .isEqualTo("a\u00e9");
        assertThat(value(ScalarFunction.CONCAT, TEXT, text("n="), integer(-12))).isEqualTo("n=-12");
        assertThat(value(ScalarFunction.REPLACE, TEXT, text("aXbXX"), text("X"), text("--")))
                .isEqualTo("a--b----");
        assertThat(value(ScalarFunction.REPLACE, TEXT, text("abc"), text(""), text("-")))
                .isEqualTo("abc");
        assertThat(value(ScalarFunction.REPLACE, TEXT, text("abab"), text("ab"), text("")))
                .isEqualTo("");
        assertThat(value(ScalarFunction.TRIM_BOTH, TEXT, text("  a b "), text(" ")))
                .isEqualTo("a b");
        assertThat(value(ScalarFunction.TRIM_LEADING, TEXT, text("xyxa"), text("xy")))
                .isEqualTo("a");
        assertThat(value(ScalarFunction.TRIM_TRAILING, TEXT, text("a\u00e9\u00e9"), text("\u00e9")))
                .isEqualTo("a");
        assertThat(value(ScalarFunction.TRIM_BOTH, TEXT, text("   "), text(" ")))
                .isEqualTo("");
    }

    @Test
    void castsConvertEveryPairThatMakesSense() {
        record Case(
                Expression from, ColumnType to, @Nullable Object expected) {}
        ColumnType money = ColumnType.decimal(10, 2);
        java.util.UUID uuid = java.util.UUID.fromString("123e4567-e89b-12d3-a456-426614174000");
        List<Case> cases = List.of(
                new Case(integer(300), INTEGER, 300L),
                new Case(text(" 42 "), INTEGER, 42L),
                new Case(text("1e2"), BIGINT, 100L),
                new Case(text("2.5"), BIGINT, 3L),
                new Case(number(-2.5), BIGINT, -3L),
                new Case(number(0.49999999999999994), BIGINT, 0L),
                new Case(decimal("2.50", 10, 2), BIGINT, 3L),
                new Case(decimal("-2.5", 30, 1), BIGINT, -3L),
                new Case(TRUE, INTEGER, 1L),
                new Case(integer(7), money, new BigDecimal("7.00")),
                new Case(decimal("7.005", 10, 3), money, new BigDecimal("7.01")),
                new Case(number(0.1), money, new BigDecimal("0.10")),
                new Case(text("-1.234"), money, new BigDecimal("-1.23")),
                new Case(
                        text("12345678901234567890.5"),
                        ColumnType.decimal(38, 1),
                        new BigDecimal("12345678901234567890.5")),
                new Case(decimal("1.25", 10, 2), DOUBLE, 1.25),
                new Case(text("1e-3"), DOUBLE, 0.001),
                new Case(number(0.1), REAL, 0.1f),
                new Case(integer(3), DOUBLE, 3.0),
                new Case(integer(5), BOOLEAN, true),
                new Case(text("f"), BOOLEAN, false),
                new Case(integer(-5), TEXT, "-5"),
                new Case(decimal("1.50", 10, 2), TEXT, "1.50"),
                new Case(number(1.5), TEXT, "1.5"),
                new Case(number(3), TEXT, "3"),
                new Case(TRUE, TEXT, "TRUE"),
                new Case(date("2024-02-29"), TEXT, "2024-02-29"),
                new Case(timestamp("2024-02-29T01:02:03.5"), TEXT, "2024-02-29 01:02:03.5"),
                new Case(literal(UUID, uuid), TEXT, uuid.toString()),
                new Case(text(uuid.toString()), UUID, uuid),
                new Case(text("2024-02-29"), DATE, LocalDate.parse("2024-02-29")),
                new Case(text("2024-02-29 01:02:03"), TIMESTAMP, LocalDateTime.parse("2024-02-29T01:02:03")),
                new Case(text("01:02:03.25"), TIME, LocalTime.parse("01:02:03.25")),
                new Case(timestamp("1969-12-31T23:00:00"), DATE, LocalDate.parse("1969-12-31")),
                new Case(timestamp("1969-12-31T23:00:00"), TIME, LocalTime.parse("23:00")),
                new Case(date("1969-12-31"), TIMESTAMP, LocalDateTime.parse("1969-12-31T00:00:00")),
                new Case(text("abc  "), ColumnType.varchar(3), "abc"),
                new Case(text("ab  "), new ColumnType(TypeKind.CHAR, 4, 0), "ab"),
                new Case(text("\u00e9\u00e9\u00e9"), ColumnType.varchar(3), "\u00e9\u00e9\u00e9"));
        for (Case one : cases) {
            assertThat(value(cast(one.from(), one.to()))).as("%s", one).isEqualTo(one.expected());
            assertThat(value(cast(literal(one.from().type(), null), one.to()))).isNull();
        }
    }

    @Test
    void castsThatLoseSomethingFail() {
        fails(ErrorCode.VALUE_OUT_OF_RANGE, cast(integer(1L << 31), INTEGER));
        fails(ErrorCode.VALUE_OUT_OF_RANGE, cast(number(1e19), BIGINT));
        fails(ErrorCode.VALUE_OUT_OF_RANGE, cast(number(Double.NaN), BIGINT));
        fails(ErrorCode.VALUE_OUT_OF_RANGE, cast(integer(100), ColumnType.decimal(3, 1)));
        fails(ErrorCode.VALUE_OUT_OF_RANGE, cast(text("1e400"), BIGINT));
        fails(ErrorCode.VALUE_OUT_OF_RANGE, cast(text("1e999999999"), ColumnType.decimal(38, 0)));
        fails(ErrorCode.VALUE_OUT_OF_RANGE, cast(number(1e300), REAL));
        fails(ErrorCode.INVALID_TEXT, cast(text("x"), BIGINT));
        fails(ErrorCode.DATETIME_OUT_OF_RANGE, cast(text("2023-02-29"), DATE));
        fails(ErrorCode.INVALID_DATETIME, cast(text("the 29th"), DATE));
        fails(ErrorCode.INVALID_TEXT, cast(text("maybe"), BOOLEAN));
        fails(ErrorCode.INVALID_TEXT, cast(text("123"), UUID));
        fails(ErrorCode.STRING_TOO_LONG, cast(text("abcd"), ColumnType.varchar(3)));
        fails(ErrorCode.TYPE_MISMATCH, cast(TRUE, DATE));
        fails(ErrorCode.TYPE_MISMATCH, cast(date("2024-01-01"), TIME));
    }

    @Test
    void fieldsAreExtracted() {
        Expression moment = timestamp("2024-12-30T23:59:58.999999");
        assertThat(value(ScalarFunction.EXTRACT_YEAR, BIGINT, moment)).isEqualTo(2024L);
        assertThat(value(ScalarFunction.EXTRACT_MONTH, BIGINT, moment)).isEqualTo(12L);
        assertThat(value(ScalarFunction.EXTRACT_DAY, BIGINT, moment)).isEqualTo(30L);
        assertThat(value(ScalarFunction.EXTRACT_HOUR, BIGINT, moment)).isEqualTo(23L);
        assertThat(value(ScalarFunction.EXTRACT_MINUTE, BIGINT, moment)).isEqualTo(59L);
        assertThat(value(ScalarFunction.EXTRACT_SECOND, BIGINT, moment)).isEqualTo(58L);
        assertThat(value(ScalarFunction.EXTRACT_MICROSECOND, BIGINT, moment)).isEqualTo(58_999_999L);
        assertThat(value(ScalarFunction.EXTRACT_DAY_OF_WEEK, BIGINT, moment)).isEqualTo(2L);
        assertThat(value(ScalarFunction.EXTRACT_DAY_OF_WEEK, BIGINT, date("1969-12-28")))
                .isEqualTo(1L);
        assertThat(value(ScalarFunction.EXTRACT_DAY_OF_YEAR, BIGINT, moment)).isEqualTo(365L);
        assertThat(value(ScalarFunction.EXTRACT_WEEK, BIGINT, moment)).isEqualTo(1L);
        assertThat(value(ScalarFunction.EXTRACT_QUARTER, BIGINT, moment)).isEqualTo(4L);
        assertThat(value(ScalarFunction.EXTRACT_YEAR, BIGINT, date("1600-02-29")))
                .isEqualTo(1600L);
        assertThat(value(ScalarFunction.EXTRACT_HOUR, BIGINT, timestamp("1969-12-31T22:00:00")))
                .isEqualTo(22L);
        assertThat(value(ScalarFunction.EXTRACT_MINUTE, BIGINT, literal(TIME, 61_000_000L)))
                .isEqualTo(1L);
        fails(ErrorCode.NOT_SUPPORTED, call(ScalarFunction.EXTRACT_YEAR, BIGINT, literal(TIME, 0L)));
    }

    @Test
    void theTimeIsTheTransactions() {
        assertThat(value(call(ScalarFunction.CURRENT_TIMESTAMP, TIMESTAMP)))
                .isEqualTo(LocalDateTime.parse("2024-02-29T13:14:15.000016"));
        assertThat(value(call(ScalarFunction.CURRENT_DATE, DATE))).isEqualTo(LocalDate.parse("2024-02-29"));
        assertThat(value(call(ScalarFunction.CURRENT_TIME, TIME))).isEqualTo(LocalTime.parse("13:14:15.000016"));
    }

    @Test
    void anErrorOfANamedValueSaysWhereTheValueBelongs() {
        Expression place = text("column N of T");
        assertThat(value(ScalarFunction.NAMED, INTEGER, cast(text("12"), INTEGER), place))
                .isEqualTo(12L);
        assertThatThrownBy(() -> value(ScalarFunction.NAMED, INTEGER, cast(text("x"), INTEGER), place))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_TEXT))
                .hasMessage("column N of T: 'x' is no INTEGER; write it as a number");
        assertThatThrownBy(() -> value(ScalarFunction.NAMED, TEXT, cast(text("abc"), ColumnType.varchar(2)), place))
                .hasMessageStartingWith("column N of T: a value of 3 characters");
        assertThatThrownBy(() -> value(ScalarFunction.NAMED, DOUBLE, cast(text("x"), DOUBLE), place))
                .hasMessageStartingWith("column N of T: 'x' is no DOUBLE");
        ColumnType wide = ColumnType.decimal(38, 2);
        assertThatThrownBy(() -> value(ScalarFunction.NAMED, wide, cast(text("x"), wide), place))
                .hasMessageStartingWith("column N of T: 'x' is no DECIMAL(38, 2)");
    }

    @Test
    void textMatchesRegularExpressions() {
        assertThat(value(ScalarFunction.MATCHES, BOOLEAN, text("customer"), text("^cust")))
                .isEqualTo(true);
        assertThat(value(ScalarFunction.MATCHES, BOOLEAN, text("customer"), text("^Cust")))
                .isEqualTo(false);
        assertThat(value(ScalarFunction.MATCHES_IN_ANY_CASE, BOOLEAN, text("customer"), text("^Cust")))
                .isEqualTo(true);
        assertThat(value(ScalarFunction.MATCHES, BOOLEAN, literal(TEXT, null), text("a")))
                .isNull();
        assertThat(value(ScalarFunction.MATCHES, BOOLEAN, text("a"), literal(TEXT, null)))
                .isNull();
        fails(ErrorCode.INVALID_REGULAR_EXPRESSION, call(ScalarFunction.MATCHES, BOOLEAN, text("a"), text("(")));
    }

    @Test
    void arraysAreText() {
        Expression array = text("{7,NULL,\"a,\\\"b\",\"NULL\"}");
        assertThat(value(ScalarFunction.ELEMENT, TEXT, array, integer(1))).isEqualTo("7");
        assertThat(value(ScalarFunction.ELEMENT, TEXT, array, integer(2))).isNull();
        assertThat(value(ScalarFunction.ELEMENT, TEXT, array, integer(3))).isEqualTo("a,\"b");
        assertThat(value(ScalarFunction.ELEMENT, TEXT, array, integer(4))).isEqualTo("NULL");
        assertThat(value(ScalarFunction.ELEMENT, TEXT, array, integer(5))).isNull();
        assertThat(value(ScalarFunction.ELEMENT, TEXT, array, integer(0))).isNull();
        assertThat(value(ScalarFunction.ELEMENT, TEXT, text("4 5"), integer(0))).isEqualTo("4");
        assertThat(value(ScalarFunction.ELEMENT_COUNT, INTEGER, array)).isEqualTo(4L);
        assertThat(value(ScalarFunction.ELEMENT_COUNT, INTEGER, text("{}"))).isEqualTo(0L);
        assertThat(value(ScalarFunction.ELEMENT_COUNT, INTEGER, text(""))).isEqualTo(0L);
        assertThat(value(ScalarFunction.HAS_ELEMENT, BOOLEAN, array, text("7"))).isEqualTo(true);
        assertThat(value(ScalarFunction.HAS_ELEMENT, BOOLEAN, array, text("8"))).isEqualTo(false);
        assertThat(value(ScalarFunction.HAS_ELEMENT, BOOLEAN, literal(TEXT, null), text("8")))
                .isNull();
        assertThat(value(ScalarFunction.JOIN_ELEMENTS, TEXT, array, text("; "))).isEqualTo("7; a,\"b; NULL");
    }

    @Test
    void everyFunctionIsKnown() {
        List<ScalarFunction> missing = new ArrayList<>();
        for (ScalarFunction function : ScalarFunction.values()) {
            ColumnType type = function == ScalarFunction.ARRAY_OF ? ColumnType.array(TEXT) : TEXT;
            Expression[] arguments = {literal(TEXT, null), literal(TEXT, null), literal(TEXT, null)};
            try {
                value(call(function, type, Arrays.copyOf(arguments, 3)));
            } catch (FulmarException | ClassCastException e) {
                // The first two draw where there is a sequence only, the others have their place from the planner.
                boolean isKnown = function == ScalarFunction.NEXT_VALUE
                        || function == ScalarFunction.NEXT_RANGE
                        || function == ScalarFunction.GIVEN_NUMBER
                        || function == ScalarFunction.USER_DEFINED
                        || function == ScalarFunction.NAMED;
                if (!isKnown && e instanceof FulmarException failure && failure.code() == ErrorCode.INTERNAL) {
                    missing.add(function);
                }
            }
        }
        assertThat(missing).isEmpty();
    }
}
