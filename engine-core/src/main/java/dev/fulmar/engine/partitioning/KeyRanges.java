package dev.fulmar.engine.partitioning;

import java.util.List;

/**
 * All longs in ranges, each of a partition. Immutable.
 *
 * @param starts rising, the first is the least long; a range ends where the next one begins
 * @param partitions by range
 */
public record KeyRanges(List<Long> starts, List<Integer> partitions) {
    /** No ranges: integers are hashed as all other keys. */
    public static final KeyRanges NONE = new KeyRanges(List.of(), List.of());

    public KeyRanges {
        starts = List.copyOf(starts);
        partitions = List.copyOf(partitions);
    }
}
