package dev.fulmar.coordinator.request;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import org.jspecify.annotations.Nullable;

/** Outcome of a transaction. */
public sealed interface TransactionResponse {
    /**
     * The transaction is committed.
     *
     * @param results result blocks (format: {@code dev.fulmar.foundation.data}) one after another, empty if there are
     *     none. A procedure that returns a {@code long}, and a statement that changes rows, yield no block but a value.
     * @param value what a procedure that returns a {@code long} returned, or how many rows a statement changed; else 0
     * @param kind tells the cases apart
     * @param snapshot timestamp of the state that was read, if the transaction read a snapshot; else 0
     */
    @SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
    record Committed(Kind kind, long value, byte[] results, long snapshot) implements TransactionResponse {
        /** Nothing to tell but that it is done. */
        public static final Committed DONE = new Committed(Kind.NOTHING, 0, new byte[0]);

        public Committed(Kind kind, long value, byte[] results) {
            this(kind, value, results, 0);
        }
    }

    /**
     * The transaction left no trace, unless the code is {@link ErrorCode#OUTCOME_UNKNOWN} or one of a node's end.
     *
     * @param lostNode the node that was lost with the transaction, if one was
     */
    record Failed(ErrorCode code, String message, @Nullable NodeId lostNode) implements TransactionResponse {
        public Failed(ErrorCode code, String message) {
            this(code, message, null);
        }
    }

    /** The kind of a committed transaction's result. */
    enum Kind {
        /** Nothing. */
        NOTHING,
        /** A value. */
        VALUE,
        /** One result block. */
        TABLE,
        /** Any number of result blocks. */
        TABLES
    }
}
