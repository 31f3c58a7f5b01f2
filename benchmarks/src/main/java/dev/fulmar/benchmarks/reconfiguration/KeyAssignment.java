package dev.fulmar.benchmarks.reconfiguration;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Assignment of integer keys to partitions, from which plans are written.
 *
 * @param partitions how many there are
 * @param owners the partition of the keys from each key on, up to the next one; the first is the least integer
 */
record KeyAssignment(int partitions, TreeMap<Long, Integer> owners) {
    private static final long LOWEST = Long.MIN_VALUE;

    /** Keys of one partition from the first one up to the last one, which is not among them. */
    record Range(long from, long to) {}

    /** The keys from 1 to {@code keys} dealt out evenly, as the partitioning that {@link #setting} writes. */
    static KeyAssignment even(int partitions, long keys) {
        TreeMap<Long, Integer> owners = new TreeMap<>();
        owners.put(LOWEST, 0);
        for (int partition = 1; partition < partitions; partition++) {
            owners.put(firstOf(partition, partitions, keys), partition);
        }
        return new KeyAssignment(partitions, owners);
    }

    private static long firstOf(int partition, int partitions, long keys) {
        return 1 + keys * partition / partitions;
    }

    /** The keys with the range given to the partition. */
    KeyAssignment with(long from, long to, int partition) {
        TreeMap<Long, Integer> changed = new TreeMap<>(owners);
        int behind = ownerOf(to);
        changed.subMap(from, to).clear();
        changed.put(from, partition);
        changed.putIfAbsent(to, behind);
        return new KeyAssignment(partitions, changed);
    }

    int ownerOf(long key) {
        return owners.floorEntry(key).getValue();
    }

    /** Hot keys, which are the first ones, dealt out one by one to all partitions. */
    KeyAssignment spread(long first, int count) {
        KeyAssignment spread = this;
        for (int i = 0; i < count; i++) {
            spread = spread.with(first + i, first + i + 1, i % partitions);
        }
        return spread;
    }

    /**
     * The last {@code count} keys of each partition of the upper half given to the next one of these. Where each node
     * leads one of them, each node is a source and a destination.
     */
    KeyAssignment rehearsal(long count, long end) {
        int half = partitions / 2;
        KeyAssignment rehearsed = this;
        for (int partition = half; partition < partitions; partition++) {
            Range all = rangeOf(partition, end);
            rehearsed = rehearsed.with(all.to - count, all.to, half + (partition - half + 1) % half);
        }
        return rehearsed;
    }

    /** All keys of the partitions dealt out evenly to the others; keys end below {@code end}. */
    KeyAssignment without(List<Integer> leaving, long end) {
        List<Integer> staying = IntStream.range(0, partitions)
                .filter(partition -> !leaving.contains(partition))
                .boxed()
                .toList();
        KeyAssignment left = this;
        for (int i = 0; i < leaving.size(); i++) {
            List<Integer> heirs = new ArrayList<>();
            for (int j = i; j < staying.size(); j += leaving.size()) {
                heirs.add(staying.get(j));
            }
            Range all = rangeOf(leaving.get(i), end);
            for (int piece = 0; piece < heirs.size(); piece++) {
                left = left.with(
                        piece == 0 ? lowestOf(leaving.get(i)) : part(all, piece, heirs.size()),
                        part(all, piece + 1, heirs.size()),
                        heirs.get(piece));
            }
            left = left.withTop(leaving.get(i), end, heirs.getLast());
        }
        return left;
    }

    /** The first tenth of each partition's keys with the next partition. */
    KeyAssignment shuffled(int tenths, long end) {
        KeyAssignment shuffled = this;
        for (int partition = 0; partition < partitions; partition++) {
            Range all = rangeOf(partition, end);
            shuffled = shuffled.with(lowestOf(partition), part(all, tenths, 10), (partition + 1) % partitions);
        }
        return shuffled;
    }

    /** Where the keys end, the last partition has all integers above. */
    private KeyAssignment withTop(int leaving, long end, int heir) {
        if (ownerOf(end) != leaving) {
            return this;
        }
        TreeMap<Long, Integer> changed = new TreeMap<>(owners);
        changed.put(end, heir);
        return new KeyAssignment(partitions, changed);
    }

    private static long part(Range all, int piece, int pieces) {
        return all.from + (all.to - all.from) * piece / pieces;
    }

    private long lowestOf(int partition) {
        return owners.entrySet().stream()
                .filter(entry -> entry.getValue() == partition)
                .mapToLong(Map.Entry::getKey)
                .min()
                .orElseThrow();
    }

    /** Keys that there are, of a partition that has one range. */
    private Range rangeOf(int partition, long end) {
        long from = lowestOf(partition);
        Long next = owners.higherKey(from);
        return new Range(Math.max(1, from), next == null ? end : next);
    }

    /** Keys among the first {@code end} that the other assignment gives to another partition. */
    long movedTo(KeyAssignment other, long end) {
        TreeMap<Long, Integer> cuts = new TreeMap<>(owners);
        cuts.putAll(other.owners);
        long moved = 0;
        for (long from : cuts.keySet()) {
            Long next = cuts.higherKey(from);
            if (ownerOf(from) != other.ownerOf(from)) {
                moved += Math.max(0, Math.min(end, next == null ? end : next) - Math.max(1, from));
            }
        }
        return moved;
    }

    /** The plan as a document. */
    String document() {
        Map<String, List<String>> texts = new TreeMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            texts.put("Partition " + partition, new ArrayList<>());
        }
        long from = LOWEST;
        while (true) {
            int owner = ownerOf(from);
            Long next = owners.higherKey(from);
            while (next != null && ownerOf(next) == owner) {
                next = owners.higherKey(next);
            }
            texts.getOrDefault("Partition " + owner, new ArrayList<>()).add(text(from, next == null ? LOWEST : next));
            if (next == null) {
                break;
            }
            from = next;
        }
        try {
            return new ObjectMapper().writeValueAsString(Map.of("plan", Map.of("*", texts)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("texts cannot be written", e);
        }
    }

    /** @param to {@link #LOWEST} for no end */
    private static String text(long from, long to) {
        if (to != LOWEST && from != LOWEST && to == from + 1) {
            return Long.toString(from);
        }
        return "[" + (from == LOWEST ? "" : from) + "-" + (to == LOWEST ? "" : to) + ")";
    }
}
