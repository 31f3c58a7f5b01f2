package dev.fulmar.coordinator.durability.log;

import dev.fulmar.coordinator.replication.EpochHistory;
import dev.fulmar.engine.checkpoint.CheckpointCompanion;
import dev.fulmar.engine.durability.ImageBuffer;
import dev.fulmar.engine.durability.ImageReader;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.checkpoint.RowBatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Checkpoint row about the copy itself: its generation ("life"), whether it was whole at the checkpoint's moment, and
 * the terms of the log before. The row is written when it changed, and absent in a database without copies.
 */
public final class CopyRow implements CheckpointCompanion {
    /** In the place of a table's id. */
    public static final int TABLE = -4;

    private static final int VERSION = 1;
    private static final int WHOLE = 1;

    private final Supplier<@Nullable Content> current;
    private final ImageBuffer buffer = new ImageBuffer();
    private @Nullable Content written;
    private @Nullable Content noted;

    /** Life of the copy that the checkpoint under way holds whole; 0 if none. */
    private volatile long notedLife;

    /** The same of the last checkpoint that holds. */
    private volatile long heldLife;

    /**
     * The copy.
     *
     * @param life of the copy, 0 if it is not known
     * @param isWhole not one that is being built
     * @param terms of its log
     */
    public record Content(long life, boolean isWhole, EpochHistory terms) {}

    /**
     * @param current what is so now; null if the database has no copies. For the partition's thread
     * @param restored what an earlier life wrote
     */
    public CopyRow(Supplier<@Nullable Content> current, @Nullable Content restored) {
        this.current = current;
        this.written = restored;
        if (restored != null && restored.isWhole) {
            heldLife = restored.life;
        }
    }

    @Override
    public void begin() {
        noted = current.get();
        Content now = noted;
        notedLife = now != null && now.isWhole ? now.life : 0;
    }

    @Override
    public boolean fill(RowBatch batch) {
        Content now = noted;
        if (now != null && !now.equals(written)) {
            buffer.clear();
            write(now, buffer);
            batch.add(TABLE, 0, 0, buffer.array(), 0, buffer.length());
            written = now;
        }
        return true;
    }

    /** The checkpoint that was begun last holds. */
    public void published() {
        heldLife = notedLife;
    }

    /** Life of the copy that the last checkpoint holds whole; 0 if none. For any thread. */
    public long heldLife() {
        return heldLife;
    }

    public static byte[] bytes(Content copy) {
        ImageBuffer out = new ImageBuffer();
        write(copy, out);
        return out.toByteArray();
    }

    static void write(Content copy, ImageBuffer out) {
        out.putByte(VERSION);
        out.putByte(copy.isWhole ? WHOLE : 0);
        out.putLong(copy.life);
        TermRecord.write(copy.terms, out);
    }

    /** Where in the array ends what {@link #write} put there. */
    public static int end(byte[] array, int begin, int end) {
        int terms = begin + 2 + Long.BYTES;
        int count = new ImageReader(array, terms, end).getInt();
        return terms + Integer.BYTES + count * 2 * Long.BYTES;
    }

    public static Content read(byte[] array, int begin, int end) {
        ImageReader in = new ImageReader(array, begin, end);
        int version = in.getByte();
        if (version != VERSION) {
            throw new FulmarException(
                    ErrorCode.VERSION_MISMATCH,
                    "what is stored of a partition's copy has version " + version
                            + ", which this version of Fulmar does not know; start the version that wrote it");
        }
        boolean isWhole = in.getByte() == WHOLE;
        long life = in.getLong();
        return new Content(life, isWhole, TermRecord.read(array, in.place(), end));
    }
}
