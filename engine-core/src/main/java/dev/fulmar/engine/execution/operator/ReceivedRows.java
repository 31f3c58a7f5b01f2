package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.data.ResultBlock;
import java.util.ArrayList;
import java.util.List;

/** Rows that fragments yielded on partitions, in native memory, in the order in which they were added. */
public final class ReceivedRows {
    private static final int ROW_COUNT_OFFSET = 4;
    private static final int HEADER_BYTES_OFFSET = 10;

    private final ScratchMemory memory;
    private final ResultBlock validator = new ResultBlock();
    private final List<List<Block>> byFragment = new ArrayList<>();

    record Block(long firstRow, int rowCount) {}

    public ReceivedRows(ScratchMemory memory) {
        this.memory = memory;
    }

    public void clear() {
        byFragment.clear();
    }

    /** Takes a copy of a result block. */
    public void add(int fragment, byte[] array, int offset, int length) {
        validator.wrap(array, offset, length).validate();
        while (byFragment.size() <= fragment) {
            byFragment.add(new ArrayList<>());
        }
        int headerBytes = LittleEndian.getUnsignedShort(array, offset + HEADER_BYTES_OFFSET);
        int rowBytes = validator.totalBytes() - headerBytes;
        long address = memory.allocate(rowBytes);
        OffHeap.copy(array, offset + headerBytes, address, rowBytes);
        byFragment.get(fragment).add(new Block(address, LittleEndian.getInt(array, offset + ROW_COUNT_OFFSET)));
    }

    List<Block> blocks(int fragment) {
        return fragment < byFragment.size() ? byFragment.get(fragment) : List.of();
    }
}
