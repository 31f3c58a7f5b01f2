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
    private final byte[] block;
    private int left;
    private int lastPart;

    /** @param block one result block */
    public HeldRows(byte[] block) {
        this.block = block;
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
        lastPart = left;
        part.begin(layout);
        while (left > 0 && !size.isReached(part.rowCount(), part.size())) {
            rows.next();
            part.appendRow(rows);
            left--;
        }
        part.end();
        lastPart -= left;
        return part.toByteArray();
    }

    /** The last part was not taken: the next one begins with the same row. */
    public void takeBack() {
        left += lastPart;
        lastPart = 0;
        rows.wrap(block, 0, block.length);
        for (int passed = rows.rowCount() - left; passed > 0; passed--) {
            rows.next();
        }
    }

    /** Skips so many rows, or those that are left; returns how many. */
    public int skip(int wanted) {
        int skipped = Math.min(wanted, left);
        for (int i = 0; i < skipped; i++) {
            rows.next();
        }
        left -= skipped;
        return skipped;
    }

    @Override
    public void end() {
        left = 0;
    }
}
