package dev.fulmar.foundation.storage;

import java.io.IOException;
import java.util.List;

/** Hands everything on to another storage. What a subclass overrides is all that it changes. */
public abstract class ForwardingStorage implements Storage {
    private final Storage storage;

    protected ForwardingStorage(Storage storage) {
        this.storage = storage;
    }

    @Override
    public StorageFile open(String name) throws IOException {
        return storage.open(name);
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
}
