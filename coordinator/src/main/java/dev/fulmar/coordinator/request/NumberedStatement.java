package dev.fulmar.coordinator.request;

import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The text of a statement that does not draw its numbers of sequences, but is given them behind its parameters. All
 * nodes that compile it make the same plan. It begins with a control character, the count of its numbers, perhaps the
 * ids of their sequences, and that character again: {@code ^2 5,9^INSERT ...}. No statement of a client begins so.
 */
public final class NumberedStatement {
    private static final char MARK = '\u0002';
    private static final int COUNT_BYTES = 2;
    private static final int FIRST_BYTES = 64;

    /** A tag and the number. */
    private static final int NUMBER_BYTES = 1 + Long.BYTES;

    private NumberedStatement() {}

    /** The text for the statement, whichever sequences its numbers are of. */
    public static String text(String sql, int numbers) {
        return String.valueOf(MARK) + numbers + MARK + sql;
    }

    private static String text(String sql, int numbers, Collection<Integer> sequences) {
        String ids = sequences.stream().map(String::valueOf).collect(Collectors.joining(","));
        return String.valueOf(MARK) + numbers + " " + ids + MARK + sql;
    }

    /** The statement of such a text; null if the text is another. */
    public static @Nullable String sql(String text) {
        return isOne(text) ? text.substring(text.indexOf(MARK, 1) + 1) : null;
    }

    /** How many numbers the statement of such a text is given. */
    public static int numbers(String text) {
        return isOne(text) ? Integer.parseInt(words(text)[0]) : 0;
    }

    /** The sequences that the numbers are of, ascending; null if any will do. */
    public static @Nullable List<Integer> sequences(String text) {
        String[] words = words(text);
        return words.length < 2
                ? null
                : Arrays.stream(words[1].split(",")).map(Integer::valueOf).toList();
    }

    private static String[] words(String text) {
        return text.substring(1, text.indexOf(MARK, 1)).split(" ");
    }

    private static boolean isOne(String text) {
        return !text.isEmpty() && text.charAt(0) == MARK;
    }

    /** Refuses the text of a client that looks like one. */
    public static void refuse(String text) {
        if (isOne(text) || DrawingStatement.isOne(text)) {
            throw refused();
        }
    }

    /** Whether the request is one that no client sends. */
    public static boolean looksLikeOne(TransactionRequest request) {
        return request instanceof TransactionRequest.AdHoc adHoc
                && (isOne(adHoc.sql()) || DrawingStatement.isOne(adHoc.sql()) || CountedStatement.isOne(adHoc.sql()));
    }

    /** The failure of a client's request that looks like one. */
    public static FulmarException refused() {
        return new FulmarException(ErrorCode.SYNTAX, "1:1: a statement does not begin with a control character");
    }

    /**
     * The request with numbers behind its parameters.
     *
     * @param sequences that they are of, ascending
     */
    public static TransactionRequest.AdHoc of(
            TransactionRequest.AdHoc plain, long[] numbers, Collection<Integer> sequences) {
        return plain.with(text(plain.sql(), numbers.length, sequences), parameters(plain.parameters(), numbers));
    }

    /** The request without the numbers, which it then needs anew. */
    public static TransactionRequest without(TransactionRequest request) {
        if (!(request instanceof TransactionRequest.AdHoc given)) {
            return request;
        }
        String plain = sql(given.sql());
        if (plain == null) {
            return request;
        }
        int numbers = numbers(given.sql());
        byte[] all = given.parameters();
        byte[] own = Arrays.copyOf(all, all.length - numbers * NUMBER_BYTES);
        LittleEndian.putShort(own, 0, LittleEndian.getUnsignedShort(all, 0) - numbers);
        return given.with(plain, own);
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
