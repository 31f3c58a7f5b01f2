package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.ScriptEnding;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.engine.procedure.invocation.ProcedureExecution;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.memory.ByteBudget;

/** Answers to clients, made from the outcomes of calls. */
public final class Answers {
    public static final Failed STOPPING =
            new Failed(ErrorCode.NODE_STOPPING, "the node stops; send the request to another one or after the restart");

    /** A change of the catalog is made. */
    public static final Committed CHANGED = Committed.DONE;

    /** Nothing is changed, and nothing will be. */
    static final Failed COMMIT_OF_EARLIER_TERM = new Failed(
            ErrorCode.SERIALIZATION_FAILURE,
            "the partition that remembers the client's transactions has got another primary since BEGIN; run the"
                    + " transaction again from BEGIN on");

    private Answers() {}

    /**
     * The answer with its results, if there is memory for them on their way; else the call fails, and may be called
     * again.
     */
    static Committed committed(ProcedureExecution execution, IncomingRequest incoming, ByteBudget underWay) {
        long bytes = execution.replyBytes();
        if (bytes > ResponseSink.FREE_BYTES && !incoming.sink().reserve(incoming.request(), bytes)) {
            throw underWay.refuse();
        }
        return committed(execution);
    }

    static Committed committed(ProcedureExecution execution) {
        Kind kind = switch (execution.replyKind()) {
            case NOTHING -> Kind.NOTHING;
            case VALUE -> Kind.VALUE;
            case TABLE -> Kind.TABLE;
            case TABLES -> Kind.TABLES;
        };
        return new Committed(kind, execution.replyValue(), execution.replyBlocks());
    }

    public static Failed failed(FulmarException failure) {
        return new Failed(failure.code(), String.valueOf(failure.getMessage()));
    }

    public static Failed defect(Throwable cause) {
        return new Failed(
                ErrorCode.INTERNAL, "a defect was met, and nothing was changed: " + cause + "; please report this");
    }

    static Failed lost(FulmarException cause) {
        return new Failed(
                ErrorCode.OUTCOME_UNKNOWN,
                "the node cannot make anything durable any more and stops, so the outcome is unknown: "
                        + cause.getMessage());
    }

    static Failed elsewhere() {
        return new Failed(
                ErrorCode.OUTCOME_UNKNOWN,
                "another node serves the partition now, and nobody knows yet whether it has the transaction; send the request again"
                        + " with the same handle to learn its outcome");
    }

    public static Failed wrongNode(PartitionId partition) {
        return new Failed(
                ErrorCode.WRONG_NODE,
                "the node that got the request does not serve " + partition + " any more; send it again");
    }

    public static Failed olderCatalog() {
        return new Failed(
                ErrorCode.WRONG_NODE,
                "this node does not know the newest tables and procedures yet; send the request to another one, or again"
                        + " after a moment");
    }

    /** In place of an answer: the request's key may be elsewhere by now, and nothing was done; it is routed anew. */
    static final Failed ROUTED_ANEW =
            new Failed(ErrorCode.TRANSACTION_RESTART, "the partition plan changed; the request is routed anew");

    public static Failed catalogChanged() {
        return new Failed(
                ErrorCode.CATALOG_CHANGED,
                "since the request got its number, tables or procedures were changed so that it would run elsewhere; this"
                        + " sending was not executed: send it again under a new number, unless an earlier one may have been");
    }

    static Failed tooLate(long waitedNanos) {
        return new Failed(
                ErrorCode.TIMEOUT,
                "the request waited " + waitedNanos / 1_000_000
                        + " ms without being executed; send fewer requests at once, or raise the time-out");
    }

    static Failed withoutData(long waitedNanos) {
        return new Failed(
                ErrorCode.TIMEOUT,
                "the data that the request needs did not come within " + waitedNanos / 1_000_000
                        + " ms; nothing was changed, send the request again");
    }

    static Failed forgotten() {
        return new Failed(
                ErrorCode.OUTCOME_UNKNOWN,
                "the request is too old to say whether it was executed; look at the data before repeating it");
    }

    /** Whether a request that was answered so left no trace, and may succeed when it is sent again. */
    static boolean invitesRetry(TransactionResponse answer) {
        return answer instanceof Failed failed
                && (failed.code().category() == ErrorCode.Category.RETRYABLE || failed.code() == ErrorCode.DISK_FULL);
    }

    /** Whether a COMMIT was not executed because another transaction was in its way. */
    static boolean isConflictOfCommit(TransactionRequest request, TransactionResponse answer) {
        return request instanceof TransactionRequest.Script script
                && script.ending() == ScriptEnding.COMMIT
                && answer instanceof Failed failed
                && failed.code() == ErrorCode.SERIALIZATION_FAILURE;
    }
}
