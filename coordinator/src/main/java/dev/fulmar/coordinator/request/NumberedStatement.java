package dev.fulmar.coordinator.request;

import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The text of a statement that does not draw its numbers of sequences, but is given them behind its parameters. All
 * nodes that compile it make the same plan. No statement of a client begins like that.
 */
public final class NumberedStatement {
    private static final char MARK = '\u0002';
    private static final int COUNT_BYTES = 2;
    private static final int FIRST_BYTES = 64;

    private NumberedStatement() {}

    /** The text for the statement. */
    public static String text(String sql) {
        return MARK + sql;
    }

    /** The statement of such a text; null if the text is another. */
    public static @Nullable String sql(String text) {
        return !text.isEmpty() && text.charAt(0) == MARK ? text.substring(1) : null;
    }

    /** Refuses the text of a client that looks like one. */
    public static void refuse(String text) {
        if (sql(text) != null) {
            throw new FulmarException(ErrorCode.SYNTAX, "1:1: a statement does not begin with a control character");
        }
    }

    /** The parameter list, and behind it the numbers. */
    static byte[] parameters(byte[] list, long[] numbers) {
        int count = LittleEndian.getUnsignedShort(list, 0) + numbers.length;
        if (count > ParameterWriter.MAX_PARAMETERS) {
            throw new FulmarException(
                    ErrorCode.TOO_MANY_PARAMETERS,
                    "the statement has " + numbers.length
                            + " numbers of sequences beside its parameters; insert fewer rows at once");
        }
        ParameterWriter writer = new ParameterWriter(FIRST_BYTES, Integer.MAX_VALUE);
        for (long number : numbers) {
            writer.add(number);
        }
        int end = writer.end();
        byte[] all = Arrays.copyOf(list, list.length + end - COUNT_BYTES);
        System.arraycopy(writer.array(), COUNT_BYTES, all, list.length, end - COUNT_BYTES);
        LittleEndian.putShort(all, 0, count);
        return all;
    }
}
