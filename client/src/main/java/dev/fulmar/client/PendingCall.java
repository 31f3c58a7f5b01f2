package dev.fulmar.client;

import dev.fulmar.foundation.error.FulmarException;
import org.jspecify.annotations.Nullable;

/** A call between its submission and its outcome. Belongs to one thread at a time: the caller's, then a lane's. */
final class PendingCall {
    /** Number of the procedure within this client, or 0 for a statement. */
    final int procedureNumber;

    /** Name of the procedure, or SQL. */
    final String text;

    final boolean statement;
    final byte[] parameters;
    final int parametersLength;
    final Consistency consistency;
    final CallHandler handler;

    /** Given by the lane that sends the call; 0 until then. */
    long requestId;

    /** When the caller stops waiting, in the lane's monotonic nanoseconds. */
    long deadlineNanos;

    /** Told to the server. */
    int timeoutMillis;

    /** How often the call was given to another lane because the one before could not send it. */
    int rerouted;

    /** How often a server closed the connection because of this call or of one beside it. */
    int refusals;

    /** Why the call was not executed when it was sent last, or that this is not known; null if nothing was said. */
    @Nullable FulmarException lastRefusal;

    /** Since when it is possible that the call was executed although nobody said so; 0 if it surely was not. */
    long unknownSinceNanos;

    /** How long to wait before it is sent again. */
    long retryMillis;

    /** The caller knows an outcome already; a late reply is dropped. */
    boolean settled;

    /** Whether it asks something of the node itself, so that no other one may have it. */
    boolean isForOneNode() {
        return !statement && text.startsWith("@");
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
}
