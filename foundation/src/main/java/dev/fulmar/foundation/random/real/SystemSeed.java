package dev.fulmar.foundation.random.real;

import java.security.SecureRandom;

/** Seeds from the operating system. */
public final class SystemSeed {
    private SystemSeed() {}

    /** A seed that cannot be foretold. Log it where a run may have to be repeated. */
    public static long draw() {
        return new SecureRandom().nextLong();
    }
}
