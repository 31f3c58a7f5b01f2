package dev.fulmar.node.server;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.call.CallReader;
import dev.fulmar.wire.limit.WireLimits;
import org.jspecify.annotations.Nullable;

/** Limits that each request of a connection must keep: of the connection, of the node, and of the node's memory. */
record RequestLimits(ServerContext server, MemoryUse memory, ReplyPath replies) {
    /** Why a request is not taken. No exception, for an overloaded node makes many of them. */
    record Objection(ErrorCode code, String reason) {}

    /**
     * Admits the request, whose memory counts from now on, or returns why not.
     *
     * @param kept places beyond the limits that it may have
     */
    @Nullable Objection objection(CallReader message, int kept) {
        WireLimits limits = server.configuration.limits();
        if (server.takesNothing()) {
            return new Objection(
                    ErrorCode.NODE_STOPPING,
                    "the node is stopping and did not begin with the call; send it to another node");
        }
        if (message.parametersLength() > limits.parameterBytes()) {
            return new Objection(
                    ErrorCode.FRAME_TOO_LARGE,
                    "the parameters take " + message.parametersLength() + " bytes, the limit is "
                            + limits.parameterBytes() + "; pass less in one call, or raise the limit for parameters");
        }
        if (replies.outstanding() >= limits.outstandingRequests() + kept) {
            return new Objection(
                    ErrorCode.SERVER_BUSY,
                    "the connection has its limit of " + limits.outstandingRequests()
                            + " requests without reply; wait for replies before sending more, or raise the limit for outstanding requests");
        }
        if (server.queued.get() >= server.configuration.maxQueued() + kept) {
            return new Objection(
                    ErrorCode.SERVER_BUSY,
                    "the node has its limit of " + server.configuration.maxQueued()
                            + " queued requests; send again later and less at a time, or raise the limit for queued requests");
        }
        if (memory.admit(message.requestId(), message.parametersLength(), kept > 0)) {
            return null;
        }
        FulmarException busy = memory.refusal(message.requestId());
        return new Objection(busy.code(), String.valueOf(busy.getMessage()));
    }
}
