package dev.fulmar.coordinator.request;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Arrays;

/**
 * The byte format of outcomes in the log: kind (1 byte), value (8), results (the rest). The bytes are on disks and
 * never change.
 */
public final class OutcomeBytes {
    private static final int VALUE_OFFSET = 1;
    private static final int RESULTS_OFFSET = VALUE_OFFSET + Long.BYTES;

    private OutcomeBytes() {}

    public static byte[] of(Committed committed) {
        byte[] results = committed.results();
        byte[] bytes = new byte[RESULTS_OFFSET + results.length];
        bytes[0] = (byte)
                switch (committed.kind()) {
                    case NOTHING -> 0;
                    case VALUE -> 1;
                    case TABLE -> 2;
                    case TABLES -> 3;
                };
        LittleEndian.putLong(bytes, VALUE_OFFSET, committed.value());
        System.arraycopy(results, 0, bytes, RESULTS_OFFSET, results.length);
        return bytes;
    }

    public static Committed read(byte[] bytes) {
        if (bytes.length < RESULTS_OFFSET) {
            throw new FulmarException(
                    ErrorCode.CORRUPTION, "an outcome of " + bytes.length + " bytes is in the log; it is too short");
        }
        Kind kind = switch (bytes[0]) {
            case 0 -> Kind.NOTHING;
            case 1 -> Kind.VALUE;
            case 2 -> Kind.TABLE;
            case 3 -> Kind.TABLES;
            default ->
                throw new FulmarException(
                        ErrorCode.CORRUPTION, "an outcome of the unknown kind " + bytes[0] + " is in the log");
        };
        return new Committed(
                kind,
                LittleEndian.getLong(bytes, VALUE_OFFSET),
                Arrays.copyOfRange(bytes, RESULTS_OFFSET, bytes.length));
    }
}
