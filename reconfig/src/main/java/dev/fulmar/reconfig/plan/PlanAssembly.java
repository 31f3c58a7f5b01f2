package dev.fulmar.reconfig.plan;

import dev.fulmar.engine.execution.SequencePlaces;
import dev.fulmar.engine.partitioning.KeyRanges;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.reconfig.plan.PlanEntry.HashedKey;
import dev.fulmar.reconfig.plan.PlanEntry.IntegerKey;
import dev.fulmar.reconfig.plan.PlanEntry.Range;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes a plan from the entries of a document and the plan before it. Used once, by one thread. */
final class PlanAssembly {
    private final PartitionPlan earlier;
    private final List<Range> hashes = new ArrayList<>();
    private final List<Range> integers = new ArrayList<>();

    /** Single keys by position. */
    private final NavigableMap<Long, PlanEntry> hashedKeys = new TreeMap<>();

    private final NavigableMap<Long, PlanEntry> integerKeys = new TreeMap<>();

    PlanAssembly(PartitionPlan earlier, List<PlanEntry> entries) {
        this.earlier = earlier;
        boolean isDivided = earlier.spaceOfIntegers() == KeySpace.INTEGER;
        for (PlanEntry entry : entries) {
            switch (entry) {
                case Range range when range.space() == KeySpace.HASH -> hashes.add(range);
                case Range range -> {
                    if (!isDivided) {
                        throw EntryText.refused(range + " is a range of integers, but this database hashes integers;"
                                + " give single keys, or ranges of hashes");
                    }
                    integers.add(range);
                }
                case IntegerKey key -> add(isDivided ? integerKeys : hashedKeys, earlier.positionOf(key.key()), key);
                case HashedKey key -> add(hashedKeys, key.position(), key);
            }
        }
    }

    private static void add(Map<Long, PlanEntry> keys, long position, PlanEntry key) {
        PlanEntry other = keys.put(position, key);
        if (other != null && other.partition() != key.partition()) {
            throw EntryText.refused("both partition " + other.partition() + " and partition " + key.partition()
                    + " have " + (other.text().equals(key.text()) ? key.text() : other.text() + " = " + key.text()));
        }
    }

    /** @throws FulmarException {@link ErrorCode#INVALID_CONFIGURATION}; the message names the ranges */
    PartitionPlan plan() {
        KeyRanges newHashes = assembled(earlier.hashes(), hashes, hashedKeys, KeySpace.HASH);
        KeyRanges newIntegers = earlier.spaceOfIntegers() == KeySpace.HASH
                ? KeyRanges.NONE
                : assembled(earlier.integers(), integers, integerKeys, KeySpace.INTEGER);
        int ranges = newHashes.starts().size() + newIntegers.starts().size();
        if (ranges > PlanDocument.MAX_RANGES) {
            throw tooMany(ranges + " ranges, for a single key in the midst of a range cuts it in two");
        }
        PartitionPlan plan = PartitionPlan.of(earlier.partitionCount(), newHashes, newIntegers);
        return SequencePlaces.keep(earlier, plan);
    }

    static FulmarException tooMany(String what) {
        return EntryText.refused("the plan has " + what + "; a plan has at most " + PlanDocument.MAX_RANGES
                + " ranges, so give whole ranges to partitions");
    }

    private static KeyRanges assembled(
            KeyRanges before, List<Range> given, NavigableMap<Long, PlanEntry> keys, KeySpace space) {
        NavigableMap<Long, Integer> ranges = new TreeMap<>();
        if (given.isEmpty()) {
            for (int i = 0; i < before.starts().size(); i++) {
                ranges.put(before.starts().get(i), before.owners().get(i));
            }
        } else {
            whole(given, keys, space).forEach(range -> ranges.put(range.first(), range.partition()));
        }
        NavigableMap<Long, Integer> owners = new TreeMap<>(ranges);
        keys.forEach((position, key) -> {
            owners.put(position, key.partition());
            if (position < Long.MAX_VALUE && !keys.containsKey(position + 1)) {
                owners.putIfAbsent(position + 1, ownerIn(ranges, position + 1));
            }
        });
        return merged(owners);
    }

    private static int ownerIn(NavigableMap<Long, Integer> ranges, long position) {
        return Objects.requireNonNull(
                        ranges.floorEntry(position), "a position is that of a single key, or lies in a range")
                .getValue();
    }

    /** One range in the place of neighbours that have one owner. */
    private static KeyRanges merged(NavigableMap<Long, Integer> ownersByStart) {
        List<Long> starts = new ArrayList<>();
        List<Integer> owners = new ArrayList<>();
        ownersByStart.forEach((start, owner) -> {
            if (owners.isEmpty() || !owners.getLast().equals(owner)) {
                starts.add(start);
                owners.add(owner);
            }
        });
        return new KeyRanges(starts, owners);
    }

    /** The ranges in their order, which have all positions of the space but those of single keys. */
    private static List<Range> whole(List<Range> given, NavigableMap<Long, PlanEntry> keys, KeySpace space) {
        List<Range> ranges = new ArrayList<>(given);
        ranges.sort(Comparator.comparingLong(Range::first));
        @Nullable Range before = null;
        for (Range range : ranges) {
            long expected = before == null ? Long.MIN_VALUE : before.last() + 1;
            if (before != null && (before.last() == Long.MAX_VALUE || range.first() < expected)) {
                long last = Math.min(before.last(), range.last());
                throw EntryText.refused("the plan has " + EntryText.write(space, range.first(), last) + " twice: in "
                        + before + ", and in " + range);
            }
            if (range.first() > expected && !areAll(keys, expected, range.first() - 1)) {
                throw missing(space, expected, range.first() - 1, before, range);
            }
            before = range;
        }
        if (before != null && before.last() != Long.MAX_VALUE && !areAll(keys, before.last() + 1, Long.MAX_VALUE)) {
            throw missing(space, before.last() + 1, Long.MAX_VALUE, before, null);
        }
        return ranges;
    }

    /** Whether each position from the first to the last is that of a single key. */
    private static boolean areAll(NavigableMap<Long, PlanEntry> keys, long first, long last) {
        return keys.subMap(first, true, last, true).size() - 1 == last - first;
    }

    private static FulmarException missing(
            KeySpace space, long first, long last, @Nullable Range before, @Nullable Range behind) {
        String text = first == last ? "the key " : "";
        return EntryText.refused("no partition has " + text + EntryText.write(space, first, last)
                + (before == null ? "" : ", behind " + before) + (behind == null ? "" : ", before " + behind));
    }
}
