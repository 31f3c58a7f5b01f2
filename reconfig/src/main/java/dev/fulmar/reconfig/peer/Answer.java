package dev.fulmar.reconfig.peer;

import dev.fulmar.foundation.error.FulmarException;

/** Listener for the answer to a request. Told once, on any thread. */
public interface Answer {
    /** The request is done, and durable on all copies in sync. */
    void done(long rows);

    /** The request failed, or its outcome is unknown. */
    void failed(FulmarException cause);
}
