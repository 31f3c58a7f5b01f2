package dev.fulmar.pmemlog.backend.memory;

import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.StorageNames;
import dev.fulmar.pmemlog.backend.PersistentMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Files in persistent memory. A write into space that a file already has takes one flush and one fence and touches no
 * table; where a file grows, its new size is written to the table when the file is forced.
 */
public final class MemoryStorage implements Storage {
    private static final int PIECE_BYTES = 64 << 10;

    private final PersistentMemory memory;
    private final Geometry geometry;
    private final FileTable table;
    private final ReentrantLock lock = new ReentrantLock();
    private final SortedMap<String, MemoryFile> visible = new TreeMap<>();
    private final SortedMap<String, MemoryFile> durable = new TreeMap<>();
    private final List<MemoryFile> nameless = new ArrayList<>();
    private final BitSet used = new BitSet();

    private MemoryStorage(PersistentMemory memory) {
        this.memory = memory;
        this.geometry = Geometry.of(memory.size());
        this.table = new FileTable(memory, geometry);
    }

    /**
     * Opens the files in the memory; memory that is all zeros becomes that of a storage without files. Fails if the
     * table is corrupt.
     */
    public static MemoryStorage open(PersistentMemory memory) throws IOException {
        MemoryStorage storage = new MemoryStorage(memory);
        storage.durable.putAll(storage.table.load());
        storage.visible.putAll(storage.durable);
        for (MemoryFile file : storage.durable.values()) {
            for (int extent : file.extents()) {
                storage.used.set(extent);
            }
        }
        return storage;
    }

    /** Bytes that files have, in whole extents. */
    public long usedBytes() {
        lock.lock();
        try {
            return (long) used.cardinality() * geometry.extentBytes();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public StorageFile open(String name) {
        return open(name, false);
    }

    @Override
    public StorageFile openSynchronous(String name) {
        return open(name, true);
    }

    private StorageFile open(String name, boolean synchronous) {
        StorageNames.checkFile(name);
        lock.lock();
        try {
            MemoryFile file = visible.computeIfAbsent(name, absent -> new MemoryFile(new int[0], 0));
            file.opened();
            return new OpenFile(name, file, synchronous);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean exists(String name) {
        StorageNames.checkFile(name);
        lock.lock();
        try {
            return visible.containsKey(name);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<String> list(String directory) {
        StorageNames.checkDirectory(directory);
        lock.lock();
        try {
            return visible.keySet().stream()
                    .filter(name -> StorageNames.directoryOf(name).equals(directory))
                    .map(StorageNames::lastPart)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void rename(String from, String to) throws IOException {
        StorageNames.checkFile(from);
        StorageNames.checkFile(to);
        lock.lock();
        try {
            MemoryFile file = visible.get(from);
            if (file == null) {
                throw new NoSuchFileException(from);
            }
            if (!from.equals(to)) {
                visible.remove(from);
                forget(visible.put(to, file));
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void delete(String name) {
        StorageNames.checkFile(name);
        lock.lock();
        try {
            forget(visible.remove(name));
        } finally {
            lock.unlock();
        }
    }

    private void forget(@Nullable MemoryFile file) {
        if (file != null) {
            nameless.add(file);
            reclaim();
        }
    }

    /** Names of other directories become durable with those of this one. */
    @Override
    public void forceDirectory(String directory) throws IOException {
        StorageNames.checkDirectory(directory);
        lock.lock();
        try {
            table.store(visible);
            durable.clear();
            durable.putAll(visible);
            reclaim();
        } finally {
            lock.unlock();
        }
    }

    /** Takes back the extents of unreachable files, now or after a crash. */
    private void reclaim() {
        nameless.removeIf(file -> {
            boolean isReachable = file.isOpen() || durable.containsValue(file) || visible.containsValue(file);
            if (!isReachable) {
                for (int extent : file.extents()) {
                    used.clear(extent);
                }
            }
            return !isReachable;
        });
    }

    /** Gives the file room up to the size. */
    private void reserve(MemoryFile file, long bytes) throws IOException {
        int[] extents = file.extents();
        int needed = Math.toIntExact((bytes + geometry.extentBytes() - 1) / geometry.extentBytes());
        if (needed <= extents.length) {
            return;
        }
        int[] more = Arrays.copyOf(extents, needed);
        for (int i = extents.length; i < needed; i++) {
            int free = used.nextClearBit(0);
            if (free >= geometry.extents()) {
                for (int taken = extents.length; taken < i; taken++) {
                    used.clear(more[taken]);
                }
                throw new IOException("No space left on device: persistent memory of " + memory.size() + " bytes");
            }
            used.set(free);
            more[i] = free;
        }
        file.extents(more);
    }

    /** Stores and flushes; the fence is the caller's. */
    private void put(MemoryFile file, long position, ByteBuffer source) {
        long next = position;
        int[] extents = file.extents();
        while (source.hasRemaining()) {
            int inExtent = (int) (next % geometry.extentBytes());
            int bytes = Math.min(source.remaining(), geometry.extentBytes() - inExtent);
            long offset = geometry.offsetOf(extents[(int) (next / geometry.extentBytes())]) + inExtent;
            memory.write(offset, source.slice(source.position(), bytes));
            memory.flush(offset, bytes);
            source.position(source.position() + bytes);
            next += bytes;
        }
    }

    private void putZeros(MemoryFile file, long from, long to) {
        ByteBuffer zeros = ByteBuffer.allocate((int) Math.min(PIECE_BYTES, Math.max(0, to - from)));
        for (long at = from; at < to; at += zeros.limit()) {
            zeros.clear().limit((int) Math.min(zeros.capacity(), to - at));
            put(file, at, zeros.duplicate());
        }
    }

    /** A handle. */
    private final class OpenFile implements StorageFile {
        private final String name;
        private final MemoryFile file;
        private final boolean synchronous;
        private volatile boolean closed;

        OpenFile(String name, MemoryFile file, boolean synchronous) {
            this.name = name;
            this.file = file;
            this.synchronous = synchronous;
        }

        @Override
        public long size() throws IOException {
            checkOpen();
            return file.size();
        }

        @Override
        public int read(long position, ByteBuffer target) throws IOException {
            checkOpen();
            int total = Math.clamp(file.size() - position, 0, target.remaining());
            int[] extents = file.extents();
            for (int done = 0; done < total; ) {
                long at = position + done;
                int inExtent = (int) (at % geometry.extentBytes());
                int bytes = Math.min(total - done, geometry.extentBytes() - inExtent);
                ByteBuffer piece = target.slice(target.position(), bytes);
                memory.read(geometry.offsetOf(extents[(int) (at / geometry.extentBytes())]) + inExtent, piece);
                target.position(target.position() + bytes);
                done += bytes;
            }
            return total;
        }

        @Override
        public void write(long position, ByteBuffer source) throws IOException {
            checkOpen();
            long end = position + source.remaining();
            if (end > file.size()) {
                grow(position, end, source);
            } else {
                put(file, position, source);
            }
            if (synchronous) {
                force();
            }
        }

        private void grow(long position, long end, ByteBuffer source) throws IOException {
            lock.lock();
            try {
                reserve(file, end);
                putZeros(file, file.size(), position);
                put(file, position, source);
                file.size(Math.max(end, file.size()));
            } finally {
                lock.unlock();
            }
        }

        /** The memory stays the file's: it has no use for a hole. */
        @Override
        public void discard(long position, long bytes) {}

        @Override
        public void truncate(long newSize) throws IOException {
            checkOpen();
            lock.lock();
            try {
                file.size(Math.min(newSize, file.size()));
                if (file.durableSize() > newSize) {
                    file.durableSize(newSize);
                    storeIfNamed();
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void force() throws IOException {
            checkOpen();
            long size = file.size();
            memory.fence();
            lock.lock();
            try {
                if (file.durableSize() < size && size <= file.size()) {
                    file.durableSize(size);
                    storeIfNamed();
                }
            } finally {
                lock.unlock();
            }
        }

        private void storeIfNamed() throws IOException {
            if (durable.containsValue(file)) {
                table.store(durable);
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                if (!closed) {
                    closed = true;
                    file.closed();
                    reclaim();
                }
            } finally {
                lock.unlock();
            }
        }

        private void checkOpen() throws IOException {
            if (closed) {
                throw new IOException(name + " is closed");
            }
        }
    }
}
