package dev.fulmar.engine.partitioning;

import java.util.List;

/**
 * The ranges of a partition plan or of bucket bounds as plain data, to be stored and sent. All longs are in ranges,
 * each of an owner: a partition in a plan, a bucket in a partition. Immutable.
 *
 * @param starts rising, the first is the least long; a range ends where the next one begins
 * @param owners by range
 */
public record KeyRanges(List<Long> starts, List<Integer> owners) {
    /** No ranges: integers are hashed as all other keys. */
    public static final KeyRanges NONE = new KeyRanges(List.of(), List.of());

    public KeyRanges {
        starts = List.copyOf(starts);
        owners = List.copyOf(owners);
    }
}
