package dev.fulmar.client;

import dev.fulmar.foundation.data.PartitioningHash;
import dev.fulmar.wire.proto.Topology;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Map from ranges of keys to the nodes that serve them. Immutable. */
final class KeyPlaces {
    /** No node is known. */
    static final int ANY = -1;

    /** Turns unsigned into signed order. */
    private static final long UNSIGNED_ORDER = Long.MIN_VALUE;

    private final long[] hashStarts;
    private final int[] hashPartitions;

    /** Empty if integers are hashed. */
    private final long[] integerStarts;

    private final int[] integerPartitions;
    private final long planVersion;
    private final int[] nodes;
    private final long[] epochs;

    /** @param planVersion of the ranges; later ones have a higher version */
    private KeyPlaces(
            long[] hashStarts,
            int[] hashPartitions,
            long[] integerStarts,
            int[] integerPartitions,
            long planVersion,
            int[] nodes,
            long[] epochs) {
        this.hashStarts = hashStarts;
        this.hashPartitions = hashPartitions;
        this.integerStarts = integerStarts;
        this.integerPartitions = integerPartitions;
        this.planVersion = planVersion;
        this.nodes = nodes;
        this.epochs = epochs;
    }

    /** The places of a topology that a node sent; empty if it is inconsistent. */
    static Optional<KeyPlaces> of(Topology told) {
        KeyPlaces places = new KeyPlaces(
                longs(told.getHashStartsList()),
                ints(told.getHashPartitionsList()),
                longs(told.getIntegerStartsList()),
                ints(told.getIntegerPartitionsList()),
                told.getPlanVersion(),
                ints(told.getNodesList()),
                longs(told.getEpochsList()));
        boolean fits = places.epochs.length == places.nodes.length
                && places.hashStarts.length > 0
                && places.covers(places.hashStarts, places.hashPartitions)
                && ((places.integerStarts.length == 0 && places.integerPartitions.length == 0)
                        || places.covers(places.integerStarts, places.integerPartitions));
        return fits ? Optional.of(places) : Optional.empty();
    }

    private static long[] longs(List<Long> values) {
        return values.stream().mapToLong(Long::longValue).toArray();
    }

    private static int[] ints(List<Integer> values) {
        return values.stream().mapToInt(Integer::intValue).toArray();
    }

    private boolean covers(long[] starts, int[] partitions) {
        if (starts.length != partitions.length || starts[0] != Long.MIN_VALUE) {
            return false;
        }
        for (int i = 1; i < starts.length; i++) {
            if (starts[i] <= starts[i - 1]) {
                return false;
            }
        }
        return Arrays.stream(partitions).allMatch(partition -> partition >= 0 && partition < nodes.length);
    }

    /** Merges the places that another node sent, where they are not older than these: ranges, and primaries. */
    KeyPlaces with(KeyPlaces other) {
        if (other.nodes.length != nodes.length) {
            return other;
        }
        int[] newest = other.nodes.clone();
        long[] under = other.epochs.clone();
        for (int i = 0; i < newest.length; i++) {
            if (epochs[i] > under[i]) {
                newest[i] = nodes[i];
                under[i] = epochs[i];
            }
        }
        KeyPlaces ranges = planVersion > other.planVersion ? this : other;
        return new KeyPlaces(
                ranges.hashStarts,
                ranges.hashPartitions,
                ranges.integerStarts,
                ranges.integerPartitions,
                ranges.planVersion,
                newest,
                under);
    }

    int ofInteger(long key) {
        return integerStarts.length == 0
                ? ofHash(PartitioningHash.ofLong(key))
                : nodes[integerPartitions[rangeOf(integerStarts, key)]];
    }

    int ofHash(long hash) {
        return nodes[hashPartitions[rangeOf(hashStarts, hash ^ UNSIGNED_ORDER)]];
    }

    private static int rangeOf(long[] starts, long position) {
        int found = Arrays.binarySearch(starts, position);
        return found >= 0 ? found : -found - 2;
    }
}
