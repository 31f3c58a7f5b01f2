package dev.fulmar.simulator.reconfiguration;

import dev.fulmar.foundation.data.PartitioningHash;
import dev.fulmar.foundation.random.RandomSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A partition plan that a reconfiguration is to reach: the partitions of single warehouses, and perhaps those of all
 * ranges of hashes around them. All else stays where it is. Immutable.
 *
 * @param owners partitions of warehouses
 * @param quarters partitions of the quarters of all hashes; empty for a plan of single keys only
 */
record WantedPlan(Map<Integer, Integer> owners, List<Integer> quarters) {
    private static final int QUARTERS = 4;
    private static final int QUARTER_SHIFT = 62;
    private static final double SHARE_OF_WAREHOUSES = 0.6;
    private static final double SHARE_WITH_RANGES = 0.25;

    WantedPlan {
        owners = Map.copyOf(owners);
        quarters = List.copyOf(quarters);
    }

    /** Draws a plan by which at least one warehouse changes its partition. */
    static WantedPlan draw(Map<Integer, Integer> before, int partitions, RandomSource random) {
        while (true) {
            Map<Integer, Integer> owners = new TreeMap<>();
            for (int warehouse : new TreeMap<>(before).keySet()) {
                int other = random.nextInt(partitions);
                if (random.nextDouble() < SHARE_OF_WAREHOUSES) {
                    owners.put(warehouse, other);
                }
            }
            boolean hasRanges = random.nextDouble() < SHARE_WITH_RANGES;
            List<Integer> quarters = new ArrayList<>();
            for (int quarter = 0; hasRanges && quarter < QUARTERS; quarter++) {
                quarters.add(random.nextInt(partitions));
            }
            WantedPlan plan = new WantedPlan(owners, quarters);
            if (!plan.moving(before).isEmpty()) {
                return plan;
            }
        }
    }

    /** The document that says so. */
    String document() {
        Map<Integer, List<String>> entries = new TreeMap<>();
        new TreeMap<>(owners)
                .forEach((warehouse, partition) -> entries.computeIfAbsent(partition, any -> new ArrayList<>())
                        .add(warehouse.toString()));
        for (int quarter = 0; quarter < quarters.size(); quarter++) {
            entries.computeIfAbsent(quarters.get(quarter), any -> new ArrayList<>())
                    .add(quarterText(quarter));
        }
        return entries.entrySet().stream()
                .map(entry -> "\"Partition " + entry.getKey() + "\": "
                        + entry.getValue().stream().collect(Collectors.joining("\", \"", "[\"", "\"]")))
                .collect(Collectors.joining(", ", "{\"plan\": {\"*\": {", "}}}"));
    }

    private static String quarterText(int quarter) {
        String end = quarter == QUARTERS - 1 ? "" : "#" + hexOfQuarter(quarter + 1);
        return "[#" + hexOfQuarter(quarter) + "-" + end + ")";
    }

    private static String hexOfQuarter(int number) {
        return String.format(Locale.ROOT, "%016x", (long) number << QUARTER_SHIFT);
    }

    /** The partition of each warehouse by this plan. A single key outranks the range around it. */
    Map<Integer, Integer> ownersAfter(Map<Integer, Integer> before) {
        Map<Integer, Integer> after = new TreeMap<>(before);
        after.replaceAll((warehouse, partition) -> {
            @Nullable Integer own = owners.get(warehouse);
            return own != null ? own : quarters.isEmpty() ? partition : quarters.get(quarterOf(warehouse));
        });
        return after;
    }

    private static int quarterOf(int warehouse) {
        return (int) (PartitioningHash.ofLong(warehouse) >>> QUARTER_SHIFT);
    }

    /** Warehouses that change their partition, by the partition that they leave. */
    Map<Integer, List<Integer>> moving(Map<Integer, Integer> before) {
        Map<Integer, List<Integer>> moving = new TreeMap<>();
        ownersAfter(before).forEach((warehouse, partition) -> {
            int source = before.getOrDefault(warehouse, partition);
            if (source != partition) {
                moving.computeIfAbsent(source, any -> new ArrayList<>()).add(warehouse);
            }
        });
        return moving;
    }
}
