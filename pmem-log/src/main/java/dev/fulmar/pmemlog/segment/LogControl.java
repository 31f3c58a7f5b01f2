package dev.fulmar.pmemlog.segment;

import dev.fulmar.foundation.storage.Storage.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The control block of a log: its segments, so that a missing one is detected. The control file holds it twice, and one
 * copy is durable before the other is touched.
 *
 * @param logId identity of the log
 * @param version grows with every change
 * @param firstSegment no record in a segment before this one is needed
 * @param lastSegment a segment that exists; the next one may exist too, but holds nothing
 */
public record LogControl(long logId, long version, long firstSegment, long lastSegment) {
    private static final int SLOT_BYTES = 4096;
    private static final int SLOTS = 2;

    /** Bytes that {@link #writeTo} writes. */
    public static final int WRITTEN_BYTES = SLOTS * SLOT_BYTES;

    private static final int BYTES = 48;
    private static final long MAGIC = 0x4c5254434c554646L; // FFULCTRL
    private static final int FORMAT_VERSION = 1;
    private static final int CHECKED_OFFSET = 12;

    /**
     * Content of a control file.
     *
     * @param control null if neither copy can be read
     * @param damaged offset of a copy that cannot be read, -1 if there is none
     */
    public record Found(@Nullable LogControl control, int damaged) {}

    /** Writes both copies to a synchronous file, one after the other. */
    public void writeTo(StorageFile synchronousFile) throws IOException {
        for (int slot = 0; slot < SLOTS; slot++) {
            synchronousFile.write((long) slot * SLOT_BYTES, toSlot());
        }
    }

    private ByteBuffer toSlot() {
        ByteBuffer slot = ByteBuffer.allocateDirect(SLOT_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        slot.putLong(0, MAGIC);
        slot.putInt(12, FORMAT_VERSION);
        slot.putLong(16, logId);
        slot.putLong(24, version);
        slot.putLong(32, firstSegment);
        slot.putLong(40, lastSegment);
        slot.putInt(8, Checksums.of(slot, CHECKED_OFFSET, BYTES - CHECKED_OFFSET));
        return slot;
    }

    /** Reads the newer copy that can be read. */
    public static Found readFrom(StorageFile file) throws IOException {
        LogControl newest = null;
        int damaged = -1;
        for (int slot = 0; slot < SLOTS; slot++) {
            ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
            file.read((long) slot * SLOT_BYTES, bytes);
            LogControl control = read(bytes.flip());
            if (control == null) {
                damaged = slot * SLOT_BYTES;
            } else if (newest == null || control.version > newest.version) {
                newest = control;
            }
        }
        return new Found(newest, damaged);
    }

    private static @Nullable LogControl read(ByteBuffer bytes) {
        if (bytes.limit() < BYTES
                || bytes.getLong(0) != MAGIC
                || bytes.getInt(8) != Checksums.of(bytes, CHECKED_OFFSET, BYTES - CHECKED_OFFSET)
                || bytes.getInt(12) != FORMAT_VERSION) {
            return null;
        }
        return new LogControl(bytes.getLong(16), bytes.getLong(24), bytes.getLong(32), bytes.getLong(40));
    }
}
