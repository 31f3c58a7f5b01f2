package dev.fulmar.coordinator.cluster;

import org.jspecify.annotations.Nullable;

/**
 * Kind of a message between nodes, its first byte, by which {@link NodeMessages} delivers it to the receiver for
 * heartbeats, replication, transactions and so on. Numbers are never used again.
 */
public enum NodeChannel {
    HEARTBEAT(1),
    REPLICATION(2),
    /** Fragments, votes, decisions, questions of those in doubt. */
    TRANSACTION(3),
    /** Clients' requests that another node serves, and their answers. */
    REQUEST(4),
    /** The building of copies. */
    COPY(5),
    CATALOG(6),
    /** Statistics of the tables' rows. */
    STATISTICS(7),
    /** Moves of buckets from node to node. */
    RECONFIGURATION(8);

    private final byte number;

    NodeChannel(int number) {
        this.number = (byte) number;
    }

    /** First byte of the channel's messages. */
    public byte number() {
        return number;
    }

    static @Nullable NodeChannel numbered(byte number) {
        int index = number - 1;
        return index >= 0 && index < ALL.length ? ALL[index] : null;
    }

    private static final NodeChannel[] ALL = values();
}
