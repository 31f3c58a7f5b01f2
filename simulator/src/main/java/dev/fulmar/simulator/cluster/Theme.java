package dev.fulmar.simulator.cluster;

/** Theme of a steered run: work beside transactions, at which its faults are aimed. */
enum Theme {
    TRANSACTIONS(ClusterRun.FIRST_STEERED),
    /** Clients change the catalog. */
    CATALOG(ClusterRun.FIRST_STEERED_WITH_CHANGES),
    /** Keys are moved between partitions. */
    MOVES(ClusterRun.FIRST_STEERED_WITH_MOVES);

    private final long firstSeed;

    Theme(long firstSeed) {
        this.firstSeed = firstSeed;
    }

    /** Its seeds are the numbers from this one on, up to the first one of the next theme. */
    long firstSeed() {
        return firstSeed;
    }

    /** That of a steered seed. */
    static Theme of(long seed) {
        Theme theme = TRANSACTIONS;
        for (Theme other : values()) {
            if (seed >= other.firstSeed) {
                theme = other;
            }
        }
        return theme;
    }
}
