package dev.fulmar.foundation.agent.real;

/**
 * Behaviour of an agent's thread that finds no work. It spins, then gives way to other threads, then looks patiently,
 * then parks until it is woken.
 *
 * @param spins empty duty cycles with a spin hint between them
 * @param yields empty duty cycles after those, giving the core away between them
 * @param patienceNanos longest time after those in which it looks on, giving the core away between its looks, unless
 *     that is mostly in vain ({@link Patience})
 * @param parkNanos longest sleep before the agent is asked again; 0 means until it is woken
 */
public record IdleStrategy(int spins, int yields, long patienceNanos, long parkNanos) {
    private static final long DEFAULT_PARK_NANOS = 100_000_000;

    public IdleStrategy {
        if (spins < 0 || yields < 0 || patienceNanos < 0 || parkNanos < 0) {
            throw new IllegalArgumentException("an idle strategy has no negative steps: " + spins + ", " + yields + ", "
                    + patienceNanos + ", " + parkNanos);
        }
    }

    /** Without patience. */
    public IdleStrategy(int spins, int yields, long parkNanos) {
        this(spins, yields, 0, parkNanos);
    }

    /**
     * For a machine with so many cores to share among so many busy threads. Spinning pays only where the thread that
     * will bring work has a core of its own.
     */
    public static IdleStrategy forThreads(int threads, int cores) {
        return threads < cores
                ? new IdleStrategy(2_000, 10, DEFAULT_PARK_NANOS)
                : new IdleStrategy(50, 5, DEFAULT_PARK_NANOS);
    }

    /** Spins long, for the lowest latency; needs a core of its own. */
    public static IdleStrategy eager() {
        return new IdleStrategy(1_000_000, 100, DEFAULT_PARK_NANOS);
    }
}
