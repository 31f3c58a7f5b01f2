package dev.fulmar.simulator.crash;

import dev.fulmar.foundation.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** A storage that tells whether a byte of one of its files was read. */
final class ReadWatch implements Storage {
    private final Storage storage;
    private final String watchedName;
    private final long watchedPosition;
    private boolean read;

    ReadWatch(Storage storage, String watchedName, long watchedPosition) {
        this.storage = storage;
        this.watchedName = watchedName;
        this.watchedPosition = watchedPosition;
    }

    /** Whether somebody has read the byte. */
    boolean wasRead() {
        return read;
    }

    @Override
    public StorageFile open(String name) throws IOException {
        return new WatchedFile(name, storage.open(name));
    }

    @Override
    public StorageFile openSynchronous(String name) throws IOException {
        return new WatchedFile(name, storage.openSynchronous(name));
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

    private final class WatchedFile implements StorageFile {
        private final String name;
        private final StorageFile file;

        WatchedFile(String name, StorageFile file) {
            this.name = name;
            this.file = file;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public int read(long position, ByteBuffer target) throws IOException {
            int count = file.read(position, target);
            read |= name.equals(watchedName) && watchedPosition >= position && watchedPosition < position + count;
            return count;
        }

        @Override
        public void write(long position, ByteBuffer source) throws IOException {
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
