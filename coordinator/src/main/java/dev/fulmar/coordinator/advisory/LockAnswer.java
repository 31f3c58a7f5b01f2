package dev.fulmar.coordinator.advisory;

import dev.fulmar.foundation.error.ErrorCode;

/** The outcome of a wish for a lock. */
public sealed interface LockAnswer {
    /** The session has it. */
    record Granted() implements LockAnswer {}

    /** Others have it, and the session does not wait. */
    record Busy() implements LockAnswer {}

    /** The session has not got it, for a reason that its client hears. */
    record Refused(ErrorCode code, String message) implements LockAnswer {}
}
