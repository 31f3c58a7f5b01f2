package dev.fulmar.engine.partition;

/**
 * Work of a partition's thread beside its requests. At the beginning of each turn it takes in what other threads and
 * nodes left for the partition; then replies are released, and requests executed.
 */
@FunctionalInterface
public interface TurnListener {
    /** A turn begins; returns how much was done. On the partition's thread. */
    int turnBegins(Partition partition);

    /** For a partition that other nodes have no part in. */
    static TurnListener none() {
        return partition -> 0;
    }
}
