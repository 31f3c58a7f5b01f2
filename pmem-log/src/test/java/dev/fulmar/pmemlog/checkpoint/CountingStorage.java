package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the writes to files whose name begins so. */
record CountingStorage(Storage storage, String beginning, AtomicInteger writes) implements Storage {
    @Override
    public StorageFile open(String name) throws IOException {
        StorageFile file = storage.open(name);
        return name.startsWith(beginning) ? new CountingFile(file, writes) : file;
    }

    @Override
    public StorageFile openSynchronous(String name) throws IOException {
        return storage.openSynchronous(name);
    }

    @Override
    public boolean exists(String name) throws IOException {
        return storage.exists(name);
    }

    @Override
    public List<String> list(String directory) throws IOException {
        return storage.list(directory);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        storage.rename(from, to);
    }

    @Override
    public void delete(String name) throws IOException {
        storage.delete(name);
    }

    @Override
    public void forceDirectory(String directory) throws IOException {
        storage.forceDirectory(directory);
    }

    private record CountingFile(StorageFile file, AtomicInteger writes) implements StorageFile {
        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public int read(long position, ByteBuffer target) throws IOException {
            return file.read(position, target);
        }

        @Override
        public void write(long position, ByteBuffer source) throws IOException {
            writes.incrementAndGet();
            file.write(position, source);
        }

        @Override
        public void truncate(long size) throws IOException {
            file.truncate(size);
        }

        @Override
        public void force() throws IOException {
            file.force();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
