package dev.fulmar.foundation.check;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/** Checks of invariants of a correct program. A breach is a defect of Fulmar, never of its user. */
public final class Invariants {
    /**
     * Whether checks run whose cost grows with the data: of whole structures, and on hot paths. Tests and the simulator
     * switch them on by the system property {@code fulmar.invariants.expensive}. A constant, so that they cost nothing
     * where they are off: {@code if (Invariants.EXPENSIVE) { Invariants.check(...); }}.
     */
    public static final boolean EXPENSIVE = Boolean.getBoolean("fulmar.invariants.expensive");

    private static final String BROKEN = "invariant broken: ";

    private Invariants() {}

    /** Fails with {@link ErrorCode#INTERNAL} unless the condition holds. */
    public static void check(boolean condition, String whatMustHold) {
        if (!condition) {
            throw breach(whatMustHold);
        }
    }

    /** Whether the message is of a breach, or tells of one. */
    public static boolean isBreach(String message) {
        return message.contains(BROKEN);
    }

    /** The failure to throw where control flow shows the breach. */
    public static FulmarException breach(String whatMustHold) {
        return new FulmarException(ErrorCode.INTERNAL, BROKEN + whatMustHold + "; please report this");
    }
}
