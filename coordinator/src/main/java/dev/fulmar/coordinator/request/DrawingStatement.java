package dev.fulmar.coordinator.request;

import java.util.OptionalInt;

/**
 * The text of the statement by which a node draws a range of numbers from a dense sequence. Its parameter is how many
 * are wanted. Its row has the first number, the increment, and how many a node draws at least. No statement of a client
 * begins like that.
 */
public final class DrawingStatement {
    private static final char MARK = '\u0003';

    private DrawingStatement() {}

    /** The text for the sequence of the id. */
    public static String text(int sequence) {
        return MARK + Integer.toString(sequence);
    }

    /** The id of the sequence in such a text; empty if the text is another. */
    public static OptionalInt sequence(String text) {
        return isOne(text) ? OptionalInt.of(Integer.parseInt(text.substring(1))) : OptionalInt.empty();
    }

    static boolean isOne(String text) {
        return !text.isEmpty() && text.charAt(0) == MARK;
    }
}
