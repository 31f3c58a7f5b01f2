package dev.fulmar.pmemlog.backend.memory;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.backend.PersistentMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** The durable table of files, in two copies. */
final class FileTable {
    private static final long MAGIC = 0x4D454D504C554646L; // FFULPMEM
    private static final int CHECKED_OFFSET = 12;
    private static final int VERSION = 1;
    private static final int HEADER_BYTES = 44;

    private final PersistentMemory memory;
    private final Geometry geometry;
    private long generation;

    FileTable(PersistentMemory memory, Geometry geometry) {
        this.memory = memory;
        this.geometry = geometry;
    }

    /**
     * The files of the newer good copy; an empty table for memory that was never used. Both copies are good and equal
     * afterwards.
     */
    SortedMap<String, MemoryFile> load() throws IOException {
        ByteBuffer first = read(0);
        ByteBuffer second = read(1);
        boolean firstIsGood = isGood(first);
        boolean secondIsGood = isGood(second);
        if (!firstIsGood && !secondIsGood && !isUnused(first, second)) {
            throw corruption("neither copy of the table of files can be read");
        }
        ByteBuffer newest = null;
        if (firstIsGood && (!secondIsGood || first.getLong(16) >= second.getLong(16))) {
            newest = first;
        } else if (secondIsGood) {
            newest = second;
        }
        SortedMap<String, MemoryFile> files = newest == null ? new TreeMap<>() : parse(newest);
        store(files);
        return files;
    }

    private ByteBuffer read(int copy) {
        ByteBuffer buffer = ByteBuffer.allocate(geometry.tableBytes()).order(ByteOrder.LITTLE_ENDIAN);
        memory.read((long) copy * geometry.tableBytes(), buffer);
        return buffer.flip();
    }

    private static boolean isGood(ByteBuffer copy) {
        int bytes = copy.getInt(36);
        return copy.getLong(0) == MAGIC
                && bytes >= HEADER_BYTES
                && bytes <= copy.limit()
                && copy.getInt(8) == checksum(copy, bytes);
    }

    /**
     * The first copy is written first: if the second was never begun and the first is torn, nothing was ever kept here.
     */
    private static boolean isUnused(ByteBuffer first, ByteBuffer second) {
        for (int i = 0; i < second.limit(); i += Long.BYTES) {
            if (second.getLong(i) != 0) {
                return false;
            }
        }
        return first.getLong(0) == 0 || first.getLong(0) == MAGIC;
    }

    private static int checksum(ByteBuffer copy, int bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(copy.slice(CHECKED_OFFSET, bytes - CHECKED_OFFSET));
        return (int) checksum.getValue();
    }

    private SortedMap<String, MemoryFile> parse(ByteBuffer copy) {
        if (copy.getInt(12) != VERSION) {
            throw new FulmarException(
                    ErrorCode.VERSION_MISMATCH,
                    "the persistent memory has the format " + copy.getInt(12) + ", and this version of Fulmar knows "
                            + VERSION + " only; start the version that wrote it");
        }
        if (copy.getLong(24) != geometry.memoryBytes() || copy.getInt(32) != geometry.extentBytes()) {
            throw corruption("the memory has " + geometry.memoryBytes() + " bytes, and had " + copy.getLong(24));
        }
        generation = copy.getLong(16);
        SortedMap<String, MemoryFile> files = new TreeMap<>();
        int count = copy.getInt(40);
        copy.position(HEADER_BYTES);
        for (int i = 0; i < count; i++) {
            byte[] name = new byte[copy.getInt()];
            copy.get(name);
            long size = copy.getLong();
            int[] extents = new int[copy.getInt()];
            for (int e = 0; e < extents.length; e++) {
                extents[e] = copy.getInt();
            }
            files.put(new String(name, StandardCharsets.UTF_8), new MemoryFile(extents, size));
        }
        return files;
    }

    /** Makes the files, with what of them is durable, the ones that a restart finds. */
    void store(Map<String, MemoryFile> files) throws IOException {
        ByteBuffer copy = serialise(files);
        for (int i = 0; i < 2; i++) {
            long offset = (long) i * geometry.tableBytes();
            memory.write(offset, copy.duplicate());
            memory.flush(offset, copy.limit());
            memory.fence();
        }
    }

    private ByteBuffer serialise(Map<String, MemoryFile> files) throws IOException {
        int bytes = HEADER_BYTES;
        for (Map.Entry<String, MemoryFile> file : files.entrySet()) {
            bytes += file.getKey().getBytes(StandardCharsets.UTF_8).length
                    + 16
                    + extentCount(file.getValue()) * Integer.BYTES;
        }
        if (bytes > geometry.tableBytes()) {
            throw new IOException("No space left on device: the persistent memory's table of files is full");
        }
        generation++;
        ByteBuffer copy = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        copy.putLong(MAGIC).putInt(0).putInt(VERSION).putLong(generation);
        copy.putLong(geometry.memoryBytes()).putInt(geometry.extentBytes()).putInt(bytes);
        copy.putInt(files.size());
        files.forEach((name, file) -> {
            byte[] text = name.getBytes(StandardCharsets.UTF_8);
            int count = extentCount(file);
            copy.putInt(text.length).put(text).putLong(file.durableSize()).putInt(count);
            for (int i = 0; i < count; i++) {
                copy.putInt(file.extents()[i]);
            }
        });
        copy.putInt(8, checksum(copy, bytes));
        return copy.flip();
    }

    /** Extents behind the durable end hold nothing to keep. */
    private int extentCount(MemoryFile file) {
        return (int) ((file.durableSize() + geometry.extentBytes() - 1) / geometry.extentBytes());
    }

    private static FulmarException corruption(String reason) {
        return new FulmarException(
                ErrorCode.CORRUPTION,
                "the persistent memory is corrupt at offset 0: " + reason
                        + "; restore it from a copy, or rebuild this node from another one");
    }
}
