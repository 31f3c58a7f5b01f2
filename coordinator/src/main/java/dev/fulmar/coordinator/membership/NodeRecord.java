package dev.fulmar.coordinator.membership;

import org.jspecify.annotations.Nullable;

/**
 * A node that belongs to the cluster.
 *
 * @param incarnation of its youngest process: each start counts it up, and an older process that sees that must stop
 * @param address where other nodes reach it, {@code host:port}
 */
public record NodeRecord(long incarnation, Standing standing, String address) implements StateRecord {
    /** Longest address, in characters. */
    public static final int MAX_ADDRESS_LENGTH = 300;

    /** Standing of a node: whether it may hold copies. Numbers are stored and never reused. */
    public enum Standing {
        /** May hold copies. */
        MEMBER(1),
        /** Keeps its copies until others have them, and gets no more. */
        LEAVING(2),
        /** Has been taken out for good; its number is not used again. */
        REMOVED(3);

        private final int number;

        Standing(int number) {
            this.number = number;
        }

        /** Number in the stored form. */
        public int number() {
            return number;
        }
    }

    public NodeRecord {
        if (incarnation < 1) {
            throw new IllegalArgumentException("incarnation " + incarnation + " of a node; the first is 1");
        }
        checkAddress(address);
    }

    static void checkAddress(String address) {
        if (address.isEmpty()
                || address.length() > MAX_ADDRESS_LENGTH
                || !address.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new IllegalArgumentException(
                    "a node's address has 1 to " + MAX_ADDRESS_LENGTH + " printable characters of ASCII and no space");
        }
    }

    @Override
    public @Nullable String objectionTo(StateRecord next) {
        return switch (next) {
            case NodeRecord _ when standing == Standing.REMOVED -> "a removed node stays removed";
            case NodeRecord node when node.incarnation < incarnation -> "the incarnation of a node never falls";
            case NodeRecord _ -> null;
            case ClusterRecord _, VersionRecord _, AssignmentRecord _, PartitionRecord _ -> "another kind of record";
        };
    }
}
