package dev.fulmar.client;

import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.address.HostAddress;
import dev.fulmar.wire.call.CallWriter;
import dev.fulmar.wire.limit.WireLimits;
import org.jspecify.annotations.Nullable;

/** Checks that a server accepts a call of this length, so that none is sent for which it would close the connection. */
final class CallSize {
    /** Of the parameters of a call of which nothing is known. */
    static final int INITIAL_PARAMETER_BYTES = 64;

    /** Beyond this no server could be configured to take them. */
    private static final int PARAMETER_LIMIT_BYTES = (1 << 30) - WireLimits.FRAME_OVERHEAD_BYTES;

    private CallSize() {}

    /** A writer for parameters that at least some server could take. */
    static ParameterWriter newParameterWriter(int initialBytes) {
        return new ParameterWriter(initialBytes, PARAMETER_LIMIT_BYTES);
    }

    /** The reason of a refusal; null if the server takes the call. */
    static @Nullable FulmarException objection(PendingCall call, WireLimits limits, HostAddress address) {
        if (call.parametersLength > limits.parameterBytes()) {
            return new FulmarException(
                    ErrorCode.FRAME_TOO_LARGE,
                    "the parameters take " + call.parametersLength + " bytes, the server at " + address + " takes "
                            + limits.parameterBytes()
                            + "; pass less in one call, or raise the server's limit for parameters");
        }
        if (CallWriter.maxFrameBytes(call.text, call.parametersLength) > limits.frameBytes()
                && CallWriter.frameBytes(call.text, call.parametersLength) > limits.frameBytes()) {
            return new FulmarException(
                    ErrorCode.FRAME_TOO_LARGE,
                    "a text of " + call.text.length() + " characters with " + call.parametersLength
                            + " bytes of parameters does not fit a frame, for which the server at " + address
                            + " allows " + limits.frameBytes()
                            + " bytes; send less in one call, or raise the server's limit for frames");
        }
        return null;
    }
}
