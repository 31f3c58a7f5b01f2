package dev.fulmar.benchmarks.sqlcheck;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answer of an engine to a statement.
 *
 * @param rows as text, in the engine's order; numbers in one form whatever their type, floating-point ones to nine
 *     digits
 * @param count of rows changed
 * @param message of an error
 * @param types of the columns, where the engine tells them; else empty
 */
record Answer(Outcome outcome, List<String> rows, long count, String message, List<String> types) {
    private static final MathContext DIGITS = new MathContext(9);

    /** Kinds of outcomes. */
    enum Outcome {
        ROWS,
        COUNT,
        /** The data did not allow it: overflow, division by zero and the like. */
        DATA_ERROR,
        /** A constraint was in the way. */
        CONSTRAINT,
        /** The engine does not understand or support it. */
        REFUSED,
        /** The engine broke. */
        DEFECT
    }

    Answer {
        rows = List.copyOf(rows);
        types = List.copyOf(types);
    }

    /** The same rows, with the types of their columns. */
    Answer of(List<String> names) {
        return new Answer(outcome, rows, count, message, names);
    }

    static Answer rows(List<String> rows) {
        return new Answer(Outcome.ROWS, rows, 0, "", List.of());
    }

    static Answer count(long count) {
        return new Answer(Outcome.COUNT, List.of(), count, "", List.of());
    }

    static Answer error(Outcome outcome, @Nullable String message) {
        return new Answer(outcome, List.of(), 0, message == null ? "" : message, List.of());
    }

    boolean isResult() {
        return outcome == Outcome.ROWS || outcome == Outcome.COUNT;
    }

    /** Whether the results are the same, as far as order is determined. */
    boolean agreesWith(Answer other, boolean ordered) {
        return hasTypesOf(other) && isLike(other, ordered);
    }

    /** Whether both tell the same types, or one of them tells none. */
    boolean hasTypesOf(Answer other) {
        return types.isEmpty() || other.types.isEmpty() || types.equals(other.types);
    }

    /** Whether the results are the same but for the types of the columns. */
    boolean isLike(Answer other, boolean ordered) {
        if (outcome != other.outcome || count != other.count) {
            return false;
        }
        return ordered
                ? rows.equals(other.rows)
                : rows.stream()
                        .sorted()
                        .toList()
                        .equals(other.rows.stream().sorted().toList());
    }

    /** A value as text that does not depend on the engine's types. */
    static String text(@Nullable Object value) {
        return switch (value) {
            case null -> "NULL";
            case Double number when !Double.isFinite(number) -> number.toString();
            case Float number when !Float.isFinite(number) -> number.toString();
            case Double number -> number(new BigDecimal(number).round(DIGITS));
            // Other engines keep a REAL in 64 bits, which are those of the shortest text.
            case Float number -> number(new BigDecimal(number.toString()));
            case BigDecimal number -> number(number);
            case Number number -> number.toString();
            case String text -> "'" + text + "'";
            default -> value.toString();
        };
    }

    private static String number(BigDecimal number) {
        BigDecimal stripped = number.stripTrailingZeros();
        return stripped.signum() == 0 ? "0" : stripped.toPlainString();
    }
}
