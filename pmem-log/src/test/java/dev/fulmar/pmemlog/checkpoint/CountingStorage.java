package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.storage.ForwardingFile;
import dev.fulmar.foundation.storage.ForwardingStorage;
import dev.fulmar.foundation.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the writes to files whose name begins so. */
final class CountingStorage extends ForwardingStorage {
    private final String beginning;
    private final AtomicInteger writes;

    CountingStorage(Storage storage, String beginning, AtomicInteger writes) {
        super(storage);
        this.beginning = beginning;
        this.writes = writes;
    }

    @Override
    public StorageFile open(String name) throws IOException {
        StorageFile file = super.open(name);
        return name.startsWith(beginning) ? new CountingFile(file) : file;
    }

    private final class CountingFile extends ForwardingFile {
        CountingFile(StorageFile file) {
            super(file);
        }

        @Override
        public void write(long position, ByteBuffer source) throws IOException {
            writes.incrementAndGet();
            super.write(position, source);
        }
    }
}
