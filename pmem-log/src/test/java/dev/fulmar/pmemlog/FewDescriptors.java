package dev.fulmar.pmemlog;

import dev.fulmar.foundation.storage.ForwardingStorage;
import dev.fulmar.foundation.storage.Storage;
import java.io.IOException;

/**
 * A storage of a process that may open so many files more, directories to be forced included; a file that is closed
 * gives nothing back.
 */
public final class FewDescriptors extends ForwardingStorage {
    private int left = Integer.MAX_VALUE;

    public FewDescriptors(Storage storage) {
        super(storage);
    }

    public void leave(int files) {
        left = files;
    }

    @Override
    public StorageFile open(String name) throws IOException {
        take(name);
        return super.open(name);
    }

    @Override
    public StorageFile openSynchronous(String name) throws IOException {
        take(name);
        return super.openSynchronous(name);
    }

    @Override
    public void forceDirectory(String directory) throws IOException {
        take(directory);
        super.forceDirectory(directory);
    }

    private void take(String name) throws IOException {
        if (left == 0) {
            throw new IOException(name + ": Too many open files");
        }
        left--;
    }
}
