package dev.fulmar.wire.session;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a cursor that a FETCH is to yield, or a MOVE to pass.
 *
 * @param count of rows, {@link #ALL} for all; of ABSOLUTE the row's place, from the end if negative; of RELATIVE its
 *     distance
 */
public record CursorStep(Direction direction, long count) {
    /** The way on which rows come. */
    public enum Direction {
        /** The rows behind the present one; with the count 0 the present one. */
        FORWARD,
        /** The rows before the present one, the nearest first. At least one. */
        BACKWARD,
        /** One row by its place. */
        ABSOLUTE,
        /** One row by its distance, at least one before or two behind the present one. */
        RELATIVE
    }

    /** Count of rows that stands for all that are left. */
    public static final long ALL = Long.MAX_VALUE;

    private static final int MOST_DIGITS = 18;

    /** The next row. */
    public static final CursorStep NEXT = new CursorStep(Direction.FORWARD, 1);

    /** All rows before the present one. */
    public static final CursorStep TO_START = new CursorStep(Direction.BACKWARD, ALL);

    /** So many rows behind the present one, or before it if it is negative. */
    static CursorStep forward(long rows) {
        return rows < 0 ? new CursorStep(Direction.BACKWARD, -rows) : new CursorStep(Direction.FORWARD, rows);
    }

    private static CursorStep backward(long rows) {
        return forward(-rows);
    }

    private static CursorStep relative(long rows) {
        return rows == 0 || rows == 1 ? forward(rows) : new CursorStep(Direction.RELATIVE, rows);
    }

    /** Whether only rows behind the present one are read, each once. */
    public boolean goesOn() {
        return direction == Direction.FORWARD && count > 0;
    }

    /** The meaning of the words between FETCH and the cursor's name; null if they have none. */
    static @Nullable CursorStep of(List<String> words) {
        if (words.isEmpty()) {
            return NEXT;
        }
        List<String> rest = words.subList(1, words.size());
        return switch (words.getFirst()) {
            case "NEXT" -> rest.isEmpty() ? NEXT : null;
            case "PRIOR" -> rest.isEmpty() ? backward(1) : null;
            case "FIRST" -> rest.isEmpty() ? new CursorStep(Direction.ABSOLUTE, 1) : null;
            case "LAST" -> rest.isEmpty() ? new CursorStep(Direction.ABSOLUTE, -1) : null;
            case "ALL" -> rest.isEmpty() ? forward(ALL) : null;
            case "ABSOLUTE" -> isNumber(rest) ? new CursorStep(Direction.ABSOLUTE, number(rest)) : null;
            case "RELATIVE" -> isNumber(rest) ? relative(number(rest)) : null;
            case "FORWARD" ->
                rest.isEmpty()
                        ? NEXT
                        : rest.equals(List.of("ALL")) ? forward(ALL) : isNumber(rest) ? forward(number(rest)) : null;
            case "BACKWARD" ->
                rest.isEmpty()
                        ? backward(1)
                        : rest.equals(List.of("ALL")) ? backward(ALL) : isNumber(rest) ? backward(number(rest)) : null;
            default -> isNumber(words) ? forward(number(words)) : null;
        };
    }

    private static boolean isNumber(List<String> words) {
        boolean isNegative = words.size() == 2 && words.getFirst().equals("-");
        return (words.size() == 1 || isNegative)
                && words.getLast().chars().allMatch(letter -> letter >= '0' && letter <= '9');
    }

    /** A number that is too large stands for all rows. */
    private static long number(List<String> words) {
        String digits = words.getLast();
        long number = digits.length() > MOST_DIGITS ? ALL : Long.parseLong(digits);
        return words.size() == 2 ? -number : number;
    }
}
