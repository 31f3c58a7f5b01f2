package dev.fulmar.coordinator.transaction;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultLayout;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The rows that an INSERT of several rows yields on several partitions, in the order in which it has them. */
final class InsertedRows {
    private static final int FIRST_BYTES = 1 << 12;

    private InsertedRows() {}

    /**
     * One block of all rows; null if a partition has not yielded a row for each that belongs there. One that was in
     * conflict may yield none.
     *
     * @param partitions of the statement's rows, in their order
     * @param yielded block of each partition
     */
    static byte @Nullable [] inOrder(int[] partitions, Map<Integer, byte[]> yielded, ResultLayout layout) {
        Map<Integer, ResultBlock> blocks = new TreeMap<>();
        yielded.forEach((partition, block) -> blocks.put(partition, new ResultBlock().wrap(block, 0, block.length)));
        Map<Integer, Integer> inserted = new TreeMap<>();
        for (int partition : partitions) {
            inserted.merge(partition, 1, Integer::sum);
        }
        boolean isWhole = inserted.entrySet().stream().allMatch(each -> {
            ResultBlock block = blocks.get(each.getKey());
            return block != null && block.rowCount() == each.getValue();
        });
        if (!isWhole) {
            return null;
        }
        ResultBlockWriter rows = new ResultBlockWriter(FIRST_BYTES, Integer.MAX_VALUE);
        rows.begin(layout);
        for (int partition : partitions) {
            ResultBlock block = blocks.get(partition);
            Invariants.check(block != null && block.next(), "a partition has yielded a row for each that it inserts");
            rows.appendRow(Objects.requireNonNull(block));
        }
        rows.end();
        return rows.toByteArray();
    }
}
