package dev.fulmar.client;

import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.call.ReplyKind;
import java.util.ArrayList;
import java.util.List;

/** Result of a committed call. Immutable, but for the cursors of its tables. */
public final class CallResult {
    private final ReplyKind kind;
    private final long value;
    private final byte[] blocks;
    private final int serverMicros;
    private final long snapshot;

    CallResult(ReplyKind kind, long value, byte[] blocks, int serverMicros, long snapshot) {
        this.kind = kind;
        this.value = value;
        this.blocks = blocks;
        this.serverMicros = serverMicros;
        this.snapshot = snapshot;
    }

    /** The result of a procedure that returns a {@code long}, or the number of rows that a statement changed. */
    public long longValue() {
        if (kind != ReplyKind.VALUE) {
            throw wrongKind("a value");
        }
        return value;
    }

    /** Whether {@link #longValue()} has something to tell. */
    public boolean hasValue() {
        return kind == ReplyKind.VALUE;
    }

    /** Whether a table is a part of a result of which the server may have more. */
    boolean hasMore() {
        return kind == ReplyKind.TABLE && value != 0;
    }

    /** The one result table, a new cursor at every call. */
    public ResultTable table() {
        if (kind == ReplyKind.TABLE) {
            return new ResultTable(blocks, 0, blocks.length);
        }
        List<ResultTable> all = tables();
        if (all.size() != 1) {
            throw wrongKind("one table");
        }
        return all.getFirst();
    }

    /** All result tables, perhaps none, with new cursors at every call. */
    public List<ResultTable> tables() {
        List<ResultTable> tables = new ArrayList<>();
        ResultBlock block = new ResultBlock();
        int offset = 0;
        while (offset < blocks.length) {
            block.wrap(blocks, offset, blocks.length - offset);
            tables.add(new ResultTable(blocks, offset, block.totalBytes()));
            offset += block.totalBytes();
        }
        return List.copyOf(tables);
    }

    /** Bytes of all result tables. */
    public int resultBytes() {
        return blocks.length;
    }

    /** From the arrival of the call at the server to its answer, in microseconds. */
    public int serverMicros() {
        return serverMicros;
    }

    /**
     * Timestamp of the state of the database that the call has shown, if it only read, and read several partitions;
     * else 0. Higher is later.
     */
    public long snapshotTimestamp() {
        return snapshot;
    }

    private FulmarException wrongKind(String wanted) {
        String found = switch (kind) {
            case NOTHING -> "nothing";
            case VALUE -> "a value";
            case TABLE -> "one table";
            case TABLES -> tables().size() + " tables";
        };
        return new FulmarException(
                ErrorCode.TYPE_MISMATCH, "the call yielded " + found + ", not " + wanted + "; read what is there");
    }
}
