package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.check.Invariants;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Rows on their way from a partition to its checkpoint log. It belongs to the source from
 * {@link CheckpointSource#request} to {@link #complete}, else to the checkpointer.
 */
public final class RowBatch {
    private final int targetBytes;
    private byte[] array;
    private int usedBytes;
    private int entryCount;
    private int begun = -1;
    private boolean first;
    private boolean last;
    private @Nullable CheckpointPosition position;
    private volatile boolean complete;
    private volatile Runnable waker = () -> {};

    /** @param targetBytes size at which a batch is full */
    public RowBatch(int targetBytes) {
        this.targetBytes = targetBytes;
        this.array = new byte[targetBytes + ClogEntry.HEADER_BYTES];
    }

    void reset(boolean isFirst) {
        usedBytes = 0;
        entryCount = 0;
        begun = -1;
        first = isFirst;
        last = false;
        position = null;
        complete = false;
    }

    /** Whether a checkpoint begins with this batch. */
    public boolean isFirst() {
        return first;
    }

    /** Whether the batch has as much as one should have. A source that goes on is not stopped. */
    public boolean isFull() {
        return usedBytes >= targetBytes;
    }

    /**
     * Begins a row with an image of at most so many bytes, which the caller puts into {@link #array} at the offset
     * returned.
     */
    public int begin(int table, int bucket, long row, int maxImageBytes) {
        int needed = usedBytes + ClogEntry.storedBytes(maxImageBytes);
        if (needed > array.length) {
            array = Arrays.copyOf(array, Math.max(needed, 2 * array.length));
        }
        begun = usedBytes;
        ClogEntry.writeRow(array, begun, table, bucket, row);
        return begun + ClogEntry.HEADER_BYTES;
    }

    /** Ends the row that was begun. */
    public void end(int imageBytes) {
        Invariants.check(begun >= 0, "a row is begun before it is ended");
        int bytes = ClogEntry.finishImage(array, begun, imageBytes);
        usedBytes = begun + bytes;
        entryCount++;
        begun = -1;
    }

    /** Adds a row's whole image. */
    public void add(int table, int bucket, long row, byte[] image, int offset, int length) {
        int at = begin(table, bucket, row, length);
        System.arraycopy(image, offset, array, at, length);
        end(length);
    }

    /** Says that the row does not exist any more. */
    public void remove(int table, int bucket, long row) {
        begin(table, bucket, row, 0);
        ClogEntry.finishRemoval(array, begun);
        usedBytes = begun + ClogEntry.HEADER_BYTES;
        entryCount++;
        begun = -1;
    }

    /** Says that no row of the table exists any more; rows of the same table that are added afterwards do. */
    public void removeTable(int table) {
        begin(table, 0, 0, 0);
        ClogEntry.markWholeTable(array, begun);
        ClogEntry.finishRemoval(array, begun);
        usedBytes = begun + ClogEntry.HEADER_BYTES;
        entryCount++;
        begun = -1;
    }

    /** Says that no row of the table's bucket exists any more; those that are added afterwards do. */
    public void removeBucket(int table, int bucket) {
        begin(table, bucket, 0, 0);
        ClogEntry.markWholeBucket(array, begun);
        ClogEntry.finishRemoval(array, begun);
        usedBytes = begun + ClogEntry.HEADER_BYTES;
        entryCount++;
        begun = -1;
    }

    /** Adds everything that the other batch has. */
    public void addAll(RowBatch other) {
        if (usedBytes + other.usedBytes > array.length) {
            array = Arrays.copyOf(array, usedBytes + other.usedBytes);
        }
        System.arraycopy(other.array, 0, array, usedBytes, other.usedBytes);
        usedBytes += other.usedBytes;
        entryCount += other.entryCount;
    }

    /** Gives the consumer every row; there must be rows only, and nothing that says that one is gone. */
    public void forEach(RowConsumer consumer) {
        for (int at = 0; at < usedBytes; at += ClogEntry.bytes(array, at)) {
            Invariants.check(!ClogEntry.isRemoval(array, at), "a batch that is read has rows only");
            consumer.row(
                    ClogEntry.table(array, at),
                    ClogEntry.bucket(array, at),
                    ClogEntry.row(array, at),
                    array,
                    at + ClogEntry.HEADER_BYTES,
                    ClogEntry.imageBytes(array, at));
        }
    }

    /** Forgets all rows, for a batch that is not under way. */
    public void clear() {
        usedBytes = 0;
        entryCount = 0;
    }

    /** Memory of the images. */
    public byte[] array() {
        return array;
    }

    /** Sets the position of the checkpoint's moment; for the first batch. */
    public void at(CheckpointPosition cut) {
        position = cut;
    }

    /** Gives the batch back. */
    public void complete(boolean isLast) {
        Invariants.check(!first || position != null, "the first batch of a checkpoint has its position");
        last = isLast;
        complete = true;
        waker.run();
    }

    /** Called when the batch is given back. */
    void wakeWith(Runnable newWaker) {
        waker = newWaker;
    }

    boolean isComplete() {
        return complete;
    }

    boolean isLast() {
        return last;
    }

    CheckpointPosition position() {
        CheckpointPosition cut = position;
        if (cut == null) {
            throw Invariants.breach("the first batch of a checkpoint has its position");
        }
        return cut;
    }

    int usedBytes() {
        return usedBytes;
    }

    int entryCount() {
        return entryCount;
    }
}
