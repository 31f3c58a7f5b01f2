package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import java.util.List;

/** A client's connection to one life of a node, over which it sends the statements of its transactions. */
interface SessionLink {
    /** Hears what came of a statement, once. */
    interface Listener {
        void answered(List<long[]> rows);

        void refused(ErrorCode code, String message);

        /** No answer comes: the connection broke, or there never was one. */
        void lost();
    }

    NodeId node();

    boolean isGone();

    /** The client closes it, or its node has ended. */
    void breaks();

    /**
     * Sends a statement of the transaction with the number.
     *
     * @param arguments those of the request
     */
    void send(
            long transaction,
            TransactionRequest.AdHoc request,
            long[] arguments,
            long patienceNanos,
            Listener listener);

    /** Whether nodes tell later what became of a COMMIT. */
    boolean answersQuestions();
}
