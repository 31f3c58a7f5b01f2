package dev.fulmar.wire.limit;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.proto.Limits;

/**
 * Limits of a server on one connection.
 *
 * @param frameBytes greatest frame, without its length field, in either direction
 * @param parameterBytes greatest parameter list
 * @param resultBytes most bytes of results of one call
 * @param outstandingRequests requests that wait for their reply at the same time
 * @param boundProcedures procedures that a connection may give numbers to
 */
public record WireLimits(
        int frameBytes, int parameterBytes, int resultBytes, int outstandingRequests, int boundProcedures) {
    private static final int MEBIBYTE = 1 << 20;

    /** Most bytes of a frame beside parameters or results: names, ids and the like. */
    public static final int FRAME_OVERHEAD_BYTES = 64 * 1024;

    public static final WireLimits DEFAULT = new WireLimits(16 * MEBIBYTE, 15 * MEBIBYTE, 15 * MEBIBYTE, 4096, 4096);

    public WireLimits {
        require(
                frameBytes >= 2 * FRAME_OVERHEAD_BYTES && frameBytes <= 1024 * MEBIBYTE,
                "frames",
                frameBytes,
                "between 128 KiB and 1 GiB");
        require(
                parameterBytes >= 2 && parameterBytes <= frameBytes - FRAME_OVERHEAD_BYTES,
                "parameters",
                parameterBytes,
                "at least 2 and 64 KiB less than that for frames");
        require(
                resultBytes >= 0 && resultBytes <= frameBytes - FRAME_OVERHEAD_BYTES,
                "results",
                resultBytes,
                "64 KiB less than that for frames, or smaller");
        require(outstandingRequests >= 1, "outstanding requests", outstandingRequests, "at least 1");
        require(
                boundProcedures >= 0 && boundProcedures <= MEBIBYTE,
                "bound procedures",
                boundProcedures,
                "between 0 and 1048576");
    }

    /** The limits as a message. */
    public Limits toMessage() {
        return Limits.newBuilder()
                .setFrameBytes(frameBytes)
                .setParameterBytes(parameterBytes)
                .setResultBytes(resultBytes)
                .setOutstandingRequests(outstandingRequests)
                .setBoundProcedures(boundProcedures)
                .build();
    }

    /** The limits that a message states. */
    public static WireLimits of(Limits message) {
        return new WireLimits(
                message.getFrameBytes(),
                message.getParameterBytes(),
                message.getResultBytes(),
                message.getOutstandingRequests(),
                message.getBoundProcedures());
    }

    private static void require(boolean holds, String what, int value, String range) {
        if (!holds) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "the limit for " + what + " cannot be " + value + "; choose a value " + range);
        }
    }
}
