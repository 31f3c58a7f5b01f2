package dev.fulmar.node.config;

import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.engine.execution.SequencePlaces;
import dev.fulmar.engine.partitioning.PartitionPlan;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Configuration of the partitions and of the threads that run them.
 *
 * @param count {@code partitions}: parts that the data is cut into at first
 * @param spares {@code partitions.spare}: further partitions, which have no keys until a plan gives them some;
 *     with {@code count} as many as a sequence has places, at most
 * @param firstKeys {@code partitioning}: {@code hash}, or {@code range:1,51,...} with the first key of every partition;
 *     empty for hash
 * @param sites {@code sites}: threads that run the partitions
 * @param pinSites {@code sites.pin}: whether each site keeps to one core, where the system allows it
 * @param shareThreads {@code sites.share-threads}: whether sites run on the threads that serve the connections; the
 *     default on machines with too few cores for both, where handing work over costs more than it brings. What is not
 *     known to be quick runs on threads of its own all the same
 * @param partitionsByKey {@code tables.partitioned}: whether a CREATE TABLE that says nothing of it partitions the
 *     table by its primary key, or by row ids; the same on all nodes
 */
public record PartitionConfiguration(
        int count,
        int spares,
        List<Long> firstKeys,
        int sites,
        boolean pinSites,
        boolean shareThreads,
        boolean partitionsByKey) {
    static final String PARTITIONS = "partitions";
    static final String PARTITIONING = "partitioning";
    static final String SPARES = "partitions.spare";
    private static final String RANGE = "range:";
    private static final int MAX_PARTITIONS = 4096;
    private static final int MAX_SITES = 1024;

    public PartitionConfiguration {
        firstKeys = List.copyOf(firstKeys);
        if (!firstKeys.isEmpty() && firstKeys.size() != count) {
            throw Settings.refused(
                    PARTITIONING, RANGE + firstKeys, "as many first keys as partitions, which are " + count, null);
        }
    }

    /** @param eventLoops threads that serve the connections */
    static PartitionConfiguration of(Settings settings, Machine machine, int eventLoops) {
        int sites = settings.number("sites", Math.max(1, machine.cores() - 1), 1, MAX_SITES);
        List<Long> firstKeys = firstKeys(settings.text(PARTITIONING, "hash"));
        int count = settings.number(PARTITIONS, firstKeys.isEmpty() ? sites : firstKeys.size(), 1, MAX_PARTITIONS);
        return new PartitionConfiguration(
                count,
                settings.number(SPARES, 0, 0, Math.max(0, SequenceRule.PLACES - count)),
                firstKeys,
                sites,
                settings.truth("sites.pin", machine.cores() > 2),
                settings.truth("sites.share-threads", sites <= eventLoops && sites + eventLoops >= machine.cores()),
                settings.truth("tables.partitioned", true));
    }

    private static List<Long> firstKeys(String text) {
        if (text.equals("hash")) {
            return List.of();
        }
        if (!text.startsWith(RANGE)) {
            throw Settings.refused(PARTITIONING, text, "hash or range:k0,k1,...", null);
        }
        try {
            return Arrays.stream(text.substring(RANGE.length()).split(",", -1))
                    .map(key -> Long.valueOf(key.trim()))
                    .toList();
        } catch (NumberFormatException e) {
            throw Settings.refused(PARTITIONING, text, "hash or range:k0,k1,...", e);
        }
    }

    /** The setting {@code partitioning}. */
    public String partitioning() {
        return firstKeys.isEmpty()
                ? "hash"
                : RANGE + firstKeys.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** All partitions, spare ones included; their number never changes. */
    public int total() {
        return count + spares;
    }

    /** The first plan: a spare partition has no keys but a place for numbers of sequences. */
    public PartitionPlan plan() {
        if (firstKeys.isEmpty()) {
            return spares == 0 ? PartitionPlan.hash(count) : SequencePlaces.forAll(PartitionPlan.hash(count, spares));
        }
        PartitionPlan ranges = PartitionPlan.ranges(
                firstKeys.stream().mapToLong(Long::longValue).toArray());
        return spares == 0
                ? ranges
                : SequencePlaces.forAll(PartitionPlan.of(total(), ranges.hashes(), ranges.integers()));
    }

    PartitionConfiguration with(int newCount, int newSpares) {
        return new PartitionConfiguration(
                newCount, newSpares, firstKeys, sites, pinSites, shareThreads, partitionsByKey);
    }
}
