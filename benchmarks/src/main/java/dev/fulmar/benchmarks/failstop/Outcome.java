package dev.fulmar.benchmarks.failstop;

/**
 * What a strike led to.
 *
 * @param millis from the strike until the node was known to serve, or had ended and its partitions were served elsewhere
 */
record Outcome(Kind kind, long millis, String detail) {
    /** What became of a node. */
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
