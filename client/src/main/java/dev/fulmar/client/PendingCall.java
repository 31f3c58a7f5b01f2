package dev.fulmar.client;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.address.HostAddress;
import org.jspecify.annotations.Nullable;

/** A call between its submission and its outcome. It belongs to one thread: the caller's, then a connection's. */
final class PendingCall {
    /** The number of no connection. */
    static final int NOWHERE = -1;

    private static final long FIRST_RETRY_MILLIS = 10;
    private static final long LAST_RETRY_MILLIS = 200;

    /** Time after which the new primary is certain. */
    private static final long UNKNOWN_NANOS = 10_000_000_000L;

    /** The reason for which a call is not sent a third time. */
    static final String TWO_NODES_LOST =
            "two nodes were lost, one after the other, while they had the call, which may be"
                    + " why: it is not sent to another one";

    private static final int MOST_NODES_LOST = 2;

    /** Number of the procedure within this client, or 0 for a statement. */
    final int procedureNumber;

    /** Name of the procedure, or SQL. */
    final String text;

    final boolean statement;
    final byte[] parameters;
    final int parametersLength;
    final Consistency consistency;
    final CallHandler handler;

    /** Given by the connection that sends the call; 0 until then. */
    long requestId;

    /**
     * The version of the catalog that was known when it was given the id; 0 for none. Wherever it is sent under that id
     * it says so.
     */
    long catalogVersion;

    /** When the caller stops waiting, in the connection's monotonic nanoseconds. */
    long deadlineNanos;

    /** Time-out that is sent to the server. */
    int timeoutMillis;

    /** Until when a call that surely had no effect is sent again, in the connection's monotonic nanoseconds. */
    long sentUntilNanos;

    /** Number of times that the call was given to another connection because the one before could not send it. */
    int rerouted;

    /** Number of times that a server closed the connection because of this call or of one beside it. */
    int refusals;

    /** The reason for which the last sending was not executed, or may not have been; null if no server gave one. */
    @Nullable FulmarException lastRefusal;

    /** Time since which the call may have been executed although no server said so; 0 if it surely was not. */
    long unknownSinceNanos;

    /**
     * Whether a server may have executed it although it has not said so. Then it keeps its handle, wherever it goes.
     */
    boolean inDoubt;

    /** Whether a connection was lost on which it was unanswered, and it was not sent since. */
    boolean wasOnWire;

    /** Number of nodes that were lost while they had the call, as far as is known. */
    private int nodesLost;

    /** The node that was lost first, {@link KeyPlaces#ANY} if that is not known or its end was told in both ways. */
    private int firstLost = KeyPlaces.ANY;

    /** Whether a node that had passed the call on told of the first loss. */
    private boolean isFirstTold;

    /** Outstanding, but to be sent again before an answer can come. */
    boolean isOffWire;

    /** Time to wait before the call is sent again. */
    long retryMillis;

    /** Number of the connection that has the call, or of the one before while it goes to another. */
    volatile int connection = NOWHERE;

    /** Number of the only connection that may have the call, or {@link #NOWHERE}. */
    int onlyConnection = NOWHERE;

    /** Whether any node can say what became of the call, though only one executes it. */
    boolean isAskedAnywhere;

    /** The caller wants it to end. */
    boolean isCancelled;

    /** The caller knows an outcome already; a late reply is dropped. */
    boolean settled;

    /** Whether it asks something of the node itself, so that no other one may have it. */
    boolean isForOneNode() {
        return !statement && text.startsWith("@") && !isAskedAnywhere;
    }

    PendingCall(
            int procedureNumber,
            String text,
            boolean statement,
            byte[] parameters,
            int parametersLength,
            Consistency consistency,
            CallHandler handler) {
        this.procedureNumber = procedureNumber;
        this.text = text;
        this.statement = statement;
        this.parameters = parameters;
        this.parametersLength = parametersLength;
        this.consistency = consistency;
        this.handler = handler;
    }

    /**
     * Whether the refusal is one that passes, so that the call may be sent again, after {@link #retryMillis}.
     *
     * @param lostNode with which the call was lost, or {@link KeyPlaces#ANY}
     * @param isCluster whether there may be another node that can do what this one cannot
     */
    boolean mayBeAskedAgain(FulmarException refusal, int lostNode, boolean isCluster, long nowNanos) {
        if (!isCluster && refusal.code() != ErrorCode.CATALOG_CHANGED) {
            return false;
        }
        if (onlyConnection != NOWHERE && !isAskedAnywhere) {
            return false; // calls after it rely on its order
        }
        if (!inDoubt && nowNanos - sentUntilNanos >= 0 && !leavesDoubt(refusal)) {
            return false; // the caller's time is over, and another sending would have as much once more
        }
        switch (refusal.code()) {
            case CATALOG_CHANGED -> {
                if (inDoubt) {
                    return false; // its first handle says nothing any more, and another one may do it twice
                }
            }
            case NOT_CONNECTED, WRONG_NODE, NODE_STOPPING -> {}
            case SERVER_BUSY -> {
                if (!inDoubt) {
                    return false; // it surely had no effect, and who asks may do so under another handle
                }
            }
            case OUTCOME_UNKNOWN, NODE_LOST -> {
                inDoubt = true;
                if (refusal.code() == ErrorCode.NODE_LOST && nodeWasLost(lostNode, true)) {
                    return false;
                }
                if (unknownSinceNanos == 0) {
                    unknownSinceNanos = nowNanos;
                } else if (nowNanos - unknownSinceNanos > UNKNOWN_NANOS) {
                    return false;
                }
            }
            default -> {
                return false;
            }
        }
        lastRefusal = refusal;
        isOffWire = true;
        retryMillis = Math.clamp(2 * retryMillis, FIRST_RETRY_MILLIS, LAST_RETRY_MILLIS);
        return true;
    }

    /** Whether the call may have had an effect though it was refused. */
    private static boolean leavesDoubt(FulmarException refusal) {
        return refusal.code() == ErrorCode.OUTCOME_UNKNOWN || refusal.code() == ErrorCode.NODE_LOST;
    }

    /**
     * A node was lost that had it; returns whether that is once too often to be chance. The end of one node may be told
     * twice and counts once: its connection is lost, and the next node passes the call on to it before it knows.
     *
     * @param isTold whether a node that had passed the call on says so
     */
    boolean nodeWasLost(int node, boolean isTold) {
        boolean isKnown = nodesLost == 1 && node != KeyPlaces.ANY && node == firstLost && isTold != isFirstTold;
        if (isKnown) {
            firstLost = KeyPlaces.ANY;
            return false;
        }
        if (nodesLost == 0) {
            firstLost = node;
            isFirstTold = isTold;
        }
        return ++nodesLost >= MOST_NODES_LOST;
    }

    /**
     * Whether another node may have the call under another handle: the asked node cannot serve it, and no server may
     * have executed it.
     */
    boolean isForAnotherNode() {
        FulmarException refusal = lastRefusal;
        return refusal != null && refusal.code() == ErrorCode.WRONG_NODE && !inDoubt && !isForOneNode();
    }

    /** Whether it was not executed since the catalog has changed, so that it may be sent under another handle. */
    boolean isForAnotherHandle() {
        FulmarException refusal = lastRefusal;
        return refusal != null && refusal.code() == ErrorCode.CATALOG_CHANGED && !inDoubt;
    }

    /** It is sent anew: what was said of an attempt before says nothing of this one. */
    void forgetRefusal() {
        lastRefusal = null;
        isOffWire = false;
    }

    /**
     * A refusal says that the call had no effect; of an earlier attempt it says nothing. That one may have found a
     * procedure, table or right that was taken away since.
     */
    FulmarException inSum(FulmarException refusal) {
        return switch (refusal.code()) {
            case NOT_CONNECTED,
                    WRONG_NODE,
                    NODE_STOPPING,
                    SERVER_BUSY,
                    CATALOG_CHANGED,
                    DISK_FULL,
                    UNKNOWN_PROCEDURE,
                    UNKNOWN_OBJECT,
                    WRONG_PARAMETERS,
                    PERMISSION_DENIED ->
                inDoubt
                        ? new FulmarException(
                                ErrorCode.OUTCOME_UNKNOWN,
                                "an earlier attempt was not answered and may have taken effect, the last one was refused: "
                                        + refusal.getMessage())
                        : refusal;
            case NODE_BROKEN -> new FulmarException(ErrorCode.OUTCOME_UNKNOWN, String.valueOf(refusal.getMessage()));
            case NODE_LOST ->
                new FulmarException(
                        ErrorCode.OUTCOME_UNKNOWN,
                        (nodesLost < MOST_NODES_LOST ? refusal.getMessage() : TWO_NODES_LOST)
                                + "; the call may have taken effect: read the data to find out");
            default -> refusal;
        };
    }

    /** @param failure why there is no connection, null if there is one */
    static FulmarException notSentInTime(@Nullable FulmarException failure) {
        return failure == null
                ? new FulmarException(
                        ErrorCode.SERVER_BUSY,
                        "the call waited its whole time-out for room among the outstanding ones and was not sent; send fewer at a time")
                : new FulmarException(
                        ErrorCode.NOT_CONNECTED,
                        "the call was not sent and had no effect: " + failure.getMessage(),
                        failure);
    }

    static FulmarException cancelledUnsent() {
        return new FulmarException(ErrorCode.CANCELLED, "the call was cancelled before it was sent, and had no effect");
    }

    /** The error for a caller whose time-out is over. */
    FulmarException notAnswered(HostAddress address) {
        FulmarException refusal = lastRefusal;
        return refusal != null && !inDoubt
                ? refusal
                : new FulmarException(
                        ErrorCode.TIMEOUT,
                        "no reply from " + address + " within the call's time-out of " + timeoutMillis
                                + " ms; the call may have taken effect, or may still: read the data to find out");
    }
}
