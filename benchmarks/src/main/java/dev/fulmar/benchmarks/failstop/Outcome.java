package dev.fulmar.benchmarks.failstop;

/**
 * The result of a strike.
 *
 * @param millis from the strike until the node was known to serve, or had ended and its partitions were served
 *     elsewhere
 */
record Outcome(Kind kind, long millis, String detail) {
    /** Kinds of results. */
    enum Kind {
        SERVES,
        ENDED,
        WRONG_STATUS,
        HALF_ALIVE
    }

    /** Whether it is as it must be, if nothing was lost. */
    boolean isGood() {
        return switch (kind) {
            case SERVES, ENDED -> true;
            case WRONG_STATUS, HALF_ALIVE -> false;
        };
    }
}
