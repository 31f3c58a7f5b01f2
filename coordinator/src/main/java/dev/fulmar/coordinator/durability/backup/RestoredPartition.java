package dev.fulmar.coordinator.durability.backup;

import dev.fulmar.coordinator.durability.checkpoint.OutcomeRows;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.checkpoint.BoundsRow;
import dev.fulmar.engine.partitioning.BucketLayout;
import dev.fulmar.engine.partitioning.BucketMap;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.row.StoredRow;
import dev.fulmar.engine.table.RowOwner;
import dev.fulmar.engine.table.ScanCursor;
import dev.fulmar.engine.table.TableStore;
import dev.fulmar.pmemlog.checkpoint.CheckpointPosition;
import dev.fulmar.pmemlog.checkpoint.CheckpointSource;
import dev.fulmar.pmemlog.checkpoint.RowBatch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A partition of a restored database, with the rows of the recovered partitions that belong to it by its plan. Rows
 * come in the order in which they lie there. It also has the outcomes of requests that it must remember. One thread.
 */
final class RestoredPartition implements CheckpointSource {
    private final int number;
    private final PartitionPlan plan;
    private final BucketMap buckets;
    private final CheckpointPosition position;
    private final Iterator<Part> parts;
    private final Iterator<PartitionRuntime> memories;
    private long[] nextRows = {};
    private int outcomeRows;
    private long rows;
    private @Nullable OutcomeRows memory;
    private @Nullable Part part;

    /** Rows of a table in one recovered partition. Parts of one table follow one another. */
    private record Part(
            Table table,
            TableStore store,
            ScanCursor cursor,
            @Nullable RowOwner owner,
            boolean first) {}

    /**
     * @param recovered the partitions that there were
     * @param memories those of them whose memory of requests this one takes over
     */
    RestoredPartition(
            int number,
            PartitionPlan plan,
            BucketMap buckets,
            CheckpointPosition position,
            Collection<Table> tables,
            List<PartitionRuntime> recovered,
            List<PartitionRuntime> memories) {
        this.number = number;
        this.plan = plan;
        this.buckets = buckets;
        this.position = position;
        this.memories = memories.iterator();
        List<Part> all = new ArrayList<>();
        for (Table table : tables) {
            // Every partition has all rows of a replicated table.
            List<PartitionRuntime> from = table.isReplicated() ? recovered.subList(0, 1) : recovered;
            boolean first = true;
            for (PartitionRuntime runtime : from) {
                TableStore store = runtime.storage().table(table.id());
                RowOwner owner = table.isReplicated() ? null : new RowOwner(table, store.layout());
                all.add(new Part(table, store, store.newScan(), owner, first));
                first = false;
            }
        }
        this.parts = all.iterator();
    }

    @Override
    public int partition() {
        return number;
    }

    /** Rows of tables that it got. */
    long rows() {
        return rows;
    }

    @Override
    public void request(RowBatch batch) {
        if (batch.isFirst()) {
            batch.at(position);
            BoundsRow.add(new BucketLayout(buckets.bounds(), List.of()), batch);
        }
        boolean done = false;
        while (!done && !batch.isFull()) {
            done = fillOutcomes(batch) && fillRows(batch);
        }
        batch.complete(done);
    }

    /** Returns whether there are no more. */
    private boolean fillOutcomes(RowBatch batch) {
        OutcomeRows open = memory;
        if (open == null) {
            if (!memories.hasNext()) {
                return true;
            }
            open = new OutcomeRows(memories.next(), 0, outcomeRows);
            open.begin();
            memory = open;
        }
        if (open.fill(batch)) {
            outcomeRows += open.writtenRows();
            memory = null;
        }
        return false;
    }

    private boolean fillRows(RowBatch batch) {
        Part open = part;
        if (open == null) {
            if (!parts.hasNext()) {
                return true;
            }
            open = parts.next();
            part = open;
            open.store.open(open.cursor);
            if (open.first) {
                nextRows = new long[open.owner == null ? 1 : buckets.numberLimit()];
            }
        }
        while (!batch.isFull()) {
            long row = open.cursor.next();
            if (row == 0) {
                part = null;
                return false;
            }
            take(open, row, batch);
        }
        return false;
    }

    private void take(Part from, long row, RowBatch batch) {
        RowOwner owner = from.owner;
        if (owner != null && owner.partitionOf(row, plan) != number) {
            return;
        }
        int bucket = owner == null ? 0 : owner.bucketOf(row, buckets);
        long slot = nextRows[bucket]++;
        RowLayout layout = from.store.layout();
        int bytes = StoredRow.bytes(layout, row);
        int offset = batch.begin(from.table.id(), bucket, slot, bytes);
        StoredRow.write(layout, row, batch.array(), offset);
        if (layout.hasRowNumber()) {
            StoredRow.renumber(layout, batch.array(), offset, slot + 1);
        }
        batch.end(bytes);
        rows++;
    }

    @Override
    public boolean isDurable(CheckpointPosition cut) {
        return true; // there is no log before it
    }
}
