package dev.fulmar.coordinator.request;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of sequences that a script's new statements are to use, as the answer to a script whose statements have
 * none yet. It is sent again with them. So a number that the client is shown is the same at the COMMIT. Between nodes
 * of one version only: a count of statements, and for each a count and its numbers.
 */
public final class DrawnNumbers {
    private DrawnNumbers() {}

    /** The answer. */
    public static Committed toAnswer(List<long[]> numbers) {
        int size = Integer.BYTES;
        for (long[] each : numbers) {
            size += Integer.BYTES + Long.BYTES * each.length;
        }
        ByteBuffer out = ByteBuffer.allocate(size).putInt(numbers.size());
        for (long[] each : numbers) {
            out.putInt(each.length);
            for (long number : each) {
                out.putLong(number);
            }
        }
        return new Committed(Kind.VALUE, numbers.size(), out.array());
    }

    /** The numbers of each new statement; null if the answer tells of results. */
    public static @Nullable List<long[]> read(Committed answer) {
        if (answer.kind() != Kind.VALUE) {
            return null;
        }
        try {
            ByteBuffer in = ByteBuffer.wrap(answer.results());
            int count = in.getInt();
            List<long[]> numbers = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int length = in.getInt();
                if (length < 0 || length > in.remaining() / Long.BYTES) {
                    throw malformed();
                }
                long[] each = new long[length];
                for (int place = 0; place < length; place++) {
                    each[place] = in.getLong();
                }
                numbers.add(each);
            }
            return numbers;
        } catch (BufferUnderflowException e) {
            throw malformed();
        }
    }

    private static FulmarException malformed() {
        return new FulmarException(ErrorCode.MALFORMED_REQUEST, "a node sent numbers that are cut off");
    }
}
