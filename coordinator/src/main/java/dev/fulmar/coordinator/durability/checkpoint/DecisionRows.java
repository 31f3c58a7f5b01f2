package dev.fulmar.coordinator.durability.checkpoint;

import dev.fulmar.coordinator.transaction.DecisionBook;
import dev.fulmar.coordinator.transaction.KeptDecision;
import dev.fulmar.engine.checkpoint.CheckpointCompanion;
import dev.fulmar.engine.durability.ImageBuffer;
import dev.fulmar.engine.durability.ImageReader;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import dev.fulmar.pmemlog.checkpoint.RowBatch;
import java.util.ArrayList;
import java.util.List;

/** The decisions of a base partition that participants may still ask for, as rows of its checkpoint, many to a row. */
public final class DecisionRows implements CheckpointCompanion {
    /** In the place of a table's id. */
    public static final int TABLE = -3;

    private static final int PER_ROW = 64;

    private final DecisionBook book;
    private final ImageBuffer buffer = new ImageBuffer();
    private List<KeptDecision> noted = List.of();
    private int next;
    private int writtenRows;
    private boolean isBegun;

    /** @param restoredRows rows that an earlier life wrote */
    public DecisionRows(DecisionBook book, int restoredRows) {
        this.book = book;
        this.writtenRows = restoredRows;
    }

    @Override
    public void begin() {
        noted = book.all();
        next = 0;
        isBegun = true;
    }

    @Override
    public boolean fill(RowBatch batch) {
        Invariants.check(isBegun, "a checkpoint notes decisions before it writes them");
        while (next < noted.size() && !batch.isFull()) {
            buffer.clear();
            int end = Math.min(noted.size(), next + PER_ROW);
            noted.subList(next, end).forEach(this::write);
            batch.add(TABLE, 0, next / PER_ROW, buffer.array(), 0, buffer.length());
            next = end;
        }
        if (next < noted.size()) {
            return false;
        }
        int rows = (noted.size() + PER_ROW - 1) / PER_ROW;
        for (int row = rows; row < writtenRows; row++) {
            batch.remove(TABLE, 0, row);
        }
        writtenRows = rows;
        noted = List.of();
        next = 0;
        isBegun = false;
        return true;
    }

    private void write(KeptDecision decision) {
        buffer.putLong(decision.transaction().timestamp());
        buffer.putInt(decision.transaction().node());
        buffer.putInt(decision.attempt());
        buffer.putLong(decision.commitTimestamp());
        buffer.putInt(decision.base().number());
        buffer.putInt(decision.participants().size());
        decision.participants().forEach(participant -> buffer.putInt(participant.number()));
    }

    /** Puts into the book what the row says. */
    public static void restore(DecisionBook book, byte[] row) {
        ImageReader in = new ImageReader(row, 0, row.length);
        while (in.hasMore()) {
            TransactionId transaction = new TransactionId(in.getLong(), in.getInt());
            int attempt = in.getInt();
            long timestamp = in.getLong();
            PartitionId base = new PartitionId(in.getInt());
            int count = in.getInt();
            List<PartitionId> participants = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                participants.add(new PartitionId(in.getInt()));
            }
            book.put(new KeptDecision(transaction, attempt, timestamp, base, participants));
        }
    }
}
