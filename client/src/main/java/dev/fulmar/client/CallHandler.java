package dev.fulmar.client;

import dev.fulmar.foundation.error.FulmarException;

/** Takes the outcome of one call on an event loop's thread: it must not block. It may send further calls. */
public interface CallHandler {
    /** The call committed. */
    void completed(CallResult result);

    /** The call failed, or its outcome is unknown: {@link FulmarException#code()} tells. */
    void failed(FulmarException error);
}
