package dev.fulmar.simulator.crash;

import dev.fulmar.foundation.storage.ForwardingFile;
import dev.fulmar.foundation.storage.ForwardingStorage;
import dev.fulmar.foundation.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A storage that tells whether a byte of one of its files was read. */
final class ReadWatch extends ForwardingStorage {
    private final String watchedName;
    private final long watchedPosition;
    private boolean read;

    ReadWatch(Storage storage, String watchedName, long watchedPosition) {
        super(storage);
        this.watchedName = watchedName;
        this.watchedPosition = watchedPosition;
    }

    /** Whether the byte was read. */
    boolean wasRead() {
        return read;
    }

    @Override
    public StorageFile open(String name) throws IOException {
        return new WatchedFile(name, super.open(name));
    }

    @Override
    public StorageFile openSynchronous(String name) throws IOException {
        return new WatchedFile(name, super.openSynchronous(name));
    }

    private final class WatchedFile extends ForwardingFile {
        private final String name;

        WatchedFile(String name, StorageFile file) {
            super(file);
            this.name = name;
        }

        @Override
        public int read(long position, ByteBuffer target) throws IOException {
            int count = super.read(position, target);
            read |= name.equals(watchedName) && watchedPosition >= position && watchedPosition < position + count;
            return count;
        }
    }
}
