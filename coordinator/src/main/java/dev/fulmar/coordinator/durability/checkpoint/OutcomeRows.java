package dev.fulmar.coordinator.durability.checkpoint;

import dev.fulmar.coordinator.request.OutcomeBytes;
import dev.fulmar.coordinator.request.RequestHistory;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.transaction.HandledRequest;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.engine.checkpoint.CheckpointCompanion;
import dev.fulmar.engine.durability.ImageBuffer;
import dev.fulmar.engine.durability.ImageReader;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.pmemlog.checkpoint.RowBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcomes of requests that a partition remembers, as rows of its checkpoint, many to a row. Outcomes never change,
 * so it is enough to note at the checkpoint's moment which there are; they are written in pieces afterwards.
 */
public final class OutcomeRows implements CheckpointCompanion, RequestHistory.Visitor<HandledRequest> {
    /** In the place of a table's id. */
    public static final int TABLE = -1;

    private static final int PER_ROW = 64;
    private static final int FORGOTTEN = -1;
    private static final int FORGOTTEN_CLIENT = -2;

    private final PartitionRuntime runtime;
    private final int firstRow;
    private final ImageBuffer buffer = new ImageBuffer();
    private List<Noted> noted = List.of();
    private int next;
    private int writtenRows;
    private long writtenChanges = -1;
    private boolean changed;
    private boolean isWritten;

    private record Noted(
            long clientId,
            long requestId,
            int kind,
            @Nullable Committed outcome) {}

    /** @param restoredRows rows that an earlier life wrote */
    public OutcomeRows(PartitionRuntime runtime, int restoredRows) {
        this(runtime, restoredRows, 0);
    }

    /** @param firstRow number of the first row, for memories of several partitions that become one */
    public OutcomeRows(PartitionRuntime runtime, int restoredRows, int firstRow) {
        this.firstRow = firstRow;
        this.runtime = runtime;
        this.writtenRows = restoredRows;
    }

    @Override
    public void begin() {
        long changes = runtime.historyChanges();
        changed = changes != writtenChanges;
        isWritten = false;
        if (changed) {
            writtenChanges = changes;
            noted = new ArrayList<>();
            next = 0;
            runtime.visitHistory(this);
        }
    }

    @Override
    public void outcome(long clientId, long requestId, HandledRequest outcome) {
        Committed committed = switch (outcome) {
            case HandledRequest.Done(Committed done) -> done;
            case HandledRequest.Done(Failed _) -> null;
            case HandledRequest.Underway underway -> underway.decided();
        };
        if (committed != null) {
            noted.add(new Noted(clientId, requestId, 0, committed));
        }
    }

    @Override
    public void forgotten(long clientId, long requestId) {
        noted.add(new Noted(clientId, requestId, FORGOTTEN, null));
    }

    @Override
    public void forgottenClient(long clientId, long highestRequestId) {
        noted.add(new Noted(clientId, highestRequestId, FORGOTTEN_CLIENT, null));
    }

    @Override
    public boolean fill(RowBatch batch) {
        if (!changed) {
            return true;
        }
        Invariants.check(!isWritten, "a checkpoint notes outcomes before it writes them");
        while (next < noted.size() && !batch.isFull()) {
            buffer.clear();
            int end = Math.min(noted.size(), next + PER_ROW);
            for (Noted each : noted.subList(next, end)) {
                write(each);
            }
            batch.add(TABLE, 0, firstRow + next / PER_ROW, buffer.array(), 0, buffer.length());
            next = end;
        }
        if (next < noted.size()) {
            return false;
        }
        int rows = (noted.size() + PER_ROW - 1) / PER_ROW;
        for (int row = rows; row < writtenRows; row++) {
            batch.remove(TABLE, 0, firstRow + row);
        }
        writtenRows = rows;
        noted = List.of();
        isWritten = true;
        return true;
    }

    /** Rows that were written. */
    public int writtenRows() {
        return writtenRows;
    }

    private void write(Noted each) {
        buffer.putLong(each.clientId);
        buffer.putLong(each.requestId);
        if (each.outcome == null) {
            buffer.putInt(each.kind);
            return;
        }
        byte[] outcome = OutcomeBytes.of(each.outcome);
        buffer.putInt(outcome.length);
        buffer.putBytes(outcome);
    }

    /** Makes the partition remember what the row says. */
    public static void restore(PartitionRuntime runtime, byte[] row) {
        ImageReader in = new ImageReader(row, 0, row.length);
        while (in.hasMore()) {
            long client = in.getLong();
            long request = in.getLong();
            int length = in.getInt();
            switch (length) {
                case FORGOTTEN -> runtime.rememberForgotten(client, request);
                case FORGOTTEN_CLIENT -> runtime.rememberForgottenClient(client, request);
                default -> {
                    int begin = in.take(length);
                    byte[] outcome = Arrays.copyOfRange(in.array(), begin, begin + length);
                    runtime.remember(client, request, OutcomeBytes.read(outcome));
                }
            }
        }
    }
}
