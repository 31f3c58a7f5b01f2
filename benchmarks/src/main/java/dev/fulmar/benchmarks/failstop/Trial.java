package dev.fulmar.benchmarks.failstop;

/**
 * One strike on one thread. It is known by these alone: which threads live differs from run to run, so a place in a
 * list says nothing.
 *
 * @param nodes how many the cluster has
 */
record Trial(int nodes, String thread, Strike strike) {
    @Override
    public String toString() {
        return nodes + " nodes, " + thread + ", " + strike;
    }
}
