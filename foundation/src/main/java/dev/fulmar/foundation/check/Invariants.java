package dev.fulmar.foundation.check;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/** Checks of invariants of a correct program. A breach is a defect of Fulmar, never of its user. */
public final class Invariants {
    private Invariants() {}

    /** Fails with {@link ErrorCode#INTERNAL} unless the condition holds. */
    public static void check(boolean condition, String whatMustHold) {
        if (!condition) {
            throw breach(whatMustHold);
        }
    }

    /** The failure to throw where control flow shows the breach. */
    public static FulmarException breach(String whatMustHold) {
        return new FulmarException(ErrorCode.INTERNAL, "invariant broken: " + whatMustHold + "; please report this");
    }
}
