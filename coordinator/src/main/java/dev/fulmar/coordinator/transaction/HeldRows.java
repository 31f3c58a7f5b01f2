package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.execution.PartSize;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultLayout;

/** A whole result that is handed out in parts. One thread at a time. */
public final class HeldRows implements RowParts {
    private static final int FIRST_BYTES = 1 << 10;

    private final ResultLayout layout;
    private final ResultBlock rows = new ResultBlock();
    private int left;

    /** @param block one result block */
    public HeldRows(byte[] block) {
        rows.wrap(block, 0, block.length);
        layout = new ResultLayout(rows.columns());
        left = rows.rowCount();
    }

    /** Bytes of all rows. */
    public int bytes() {
        return rows.totalBytes();
    }

    @Override
    public boolean isAtEnd() {
        return left == 0;
    }

    @Override
    public byte[] next(PartSize size) {
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

    @Override
    public void end() {
        left = 0;
    }
}
