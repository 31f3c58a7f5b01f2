package dev.fulmar.launcher;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.engine.partitioning.KeyRanges;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import java.util.List;
import java.util.TreeMap;

/**
 * The partition plan of a running database, as {@code @Catalog('PLAN')} shows it.
 *
 * @param version the version of the catalog since which the plan counts; 0 for that of the configuration
 */
record ServerPlan(long version, PartitionPlan plan) {
    static ServerPlan read(FulmarClient client) {
        ResultTable rows = client.call("@Catalog", "PLAN").table();
        TreeMap<Long, Integer> hashes = new TreeMap<>();
        TreeMap<Long, Integer> integers = new TreeMap<>();
        long version = 0;
        int partitions = 0;
        while (rows.next()) {
            version = rows.getLong(rows.column("PLAN_VERSION"));
            int partition = rows.getInt(rows.column("PARTITION"));
            partitions = Math.max(partitions, partition + 1);
            String keys = rows.getString(rows.column("KEYS"));
            if (keys != null) {
                TreeMap<Long, Integer> space = KeySpace.valueOf(keys) == KeySpace.HASH ? hashes : integers;
                space.put(rows.getLong(rows.column("FIRST_POSITION")), partition);
            }
        }
        return new ServerPlan(version, PartitionPlan.of(partitions, ranges(hashes), ranges(integers)));
    }

    private static KeyRanges ranges(TreeMap<Long, Integer> owners) {
        return new KeyRanges(List.copyOf(owners.keySet()), List.copyOf(owners.values()));
    }
}
