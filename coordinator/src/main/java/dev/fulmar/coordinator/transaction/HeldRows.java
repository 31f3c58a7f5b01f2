package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.execution.PartSize;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultLayout;

/** A whole result that is handed out in parts. One thread at a time. */
final class HeldRows {
    private static final int FIRST_BYTES = 1 << 10;

    private final ResultLayout layout;
    private final ResultBlock rows = new ResultBlock();
    private int left;

    /** @param block one result block of the layout */
    HeldRows(byte[] block, ResultLayout layout) {
        this.layout = layout;
        rows.wrap(block, 0, block.length);
        left = rows.rowCount();
    }

    int bytes() {
        return rows.totalBytes();
    }

    boolean isEmpty() {
        return left == 0;
    }

    /** The next rows as a block, fewer than were wanted only at the end. */
    byte[] part(PartSize size) {
        ResultBlockWriter part = new ResultBlockWriter(FIRST_BYTES, Integer.MAX_VALUE);
        part.begin(layout);
        while (left > 0 && !size.isReached(part.rowCount(), part.size())) {
            rows.next();
            part.appendRow(rows);
            left--;
        }
        part.end();
        return part.toByteArray();
    }
}
