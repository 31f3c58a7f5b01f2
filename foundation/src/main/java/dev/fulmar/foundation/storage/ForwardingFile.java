package dev.fulmar.foundation.storage;

import dev.fulmar.foundation.storage.Storage.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Base class for wrappers of an open {@link StorageFile}: forwards every call, and a subclass overrides the calls that
 * it changes.
 */
public abstract class ForwardingFile implements StorageFile {
    private final StorageFile file;

    protected ForwardingFile(StorageFile file) {
        this.file = file;
    }

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
        file.write(position, source);
    }

    @Override
    public void truncate(long size) throws IOException {
        file.truncate(size);
    }

    @Override
    public void discard(long position, long bytes) throws IOException {
        file.discard(position, bytes);
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
