package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.execution.PartSize;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.id.PartitionId;

/**
 * The rows of a query whose plan needs no rows together, in parts: one partition after another, and nothing ahead. Its
 * attempt has registered at these partitions. For the transaction's fiber.
 */
final class ScannedParts implements RowParts {
    /** Number of the reading of a reader that has one query, and leaves a partition that has yielded its rows. */
    static final int ONLY = 0;

    private static final int FIRST_BYTES = 1 << 10;

    private final PortalScan scan;
    private final SnapshotAttempt attempt;
    private final int reading;
    private final ResultBlockWriter rows;
    private int position;

    /** Whether the partition at the position knows the reading. */
    private boolean isBegun;

    ScannedParts(PortalScan scan, PortalReader.Tools tools, SnapshotAttempt attempt, int reading) {
        this.scan = scan;
        this.attempt = attempt;
        this.reading = reading;
        this.rows = new ResultBlockWriter(
                FIRST_BYTES, tools.limits().maxResultBytes(), tools.services().underWay());
    }

    @Override
    public boolean isAtEnd() {
        return position == scan.partitions().size();
    }

    @Override
    public byte[] next(PartSize size) {
        try {
            fill(size);
            return rows.toByteArray();
        } finally {
            rows.shrink(0);
        }
    }

    private void fill(PartSize size) {
        rows.begin(scan.layout());
        ResultBlock block = new ResultBlock();
        while (!isAtEnd() && !size.isReached(rows.rowCount(), rows.size())) {
            PartitionId partition = scan.partitions().get(position);
            PartSize rest = new PartSize(size.rows() - rows.rowCount(), Math.max(1, size.bytes() - rows.size()));
            isBegun = true;
            FragmentResult found = attempt.part(partition, scan.work(), rest, reading);
            if (found != null) {
                block.wrap(found.rows(), 0, found.rows().length);
                while (block.next()) {
                    rows.appendRow(block);
                }
            }
            if (found != null && rest.isReached(block.rowCount(), found.rows().length)) {
                break; // it may have more
            }
            endHere();
            position++;
        }
        rows.end();
    }

    @Override
    public void end() {
        if (!isAtEnd()) {
            endHere();
            position = scan.partitions().size();
        }
    }

    private void endHere() {
        PartitionId partition = scan.partitions().get(position);
        if (reading == ONLY) {
            attempt.leave(partition);
        } else if (isBegun) {
            attempt.endReading(partition, reading);
        }
        isBegun = false;
    }
}
