package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import dev.fulmar.foundation.storage.StorageNames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/**
 * The superblock's two copies. A change is durable in one copy before the other is touched, and in both before anybody
 * relies on it: a crash leaves one of the two states, and one damaged copy loses nothing.
 */
final class SuperblockFile implements AutoCloseable {
    private static final int COPIES = 2;
    private static final int PAGE_BYTES = 4096;

    private final String name;
    private final StorageFile file;
    private final List<String> remarks = new ArrayList<>();
    private volatile Superblock current;
    private long writtenBytes;

    private SuperblockFile(String name, StorageFile file, Superblock current) {
        this.name = name;
        this.file = file;
        this.current = current;
    }

    /**
     * Opens the superblock in the directory, or creates one. Fails if it is damaged, or gone while other files are
     * there.
     */
    static SuperblockFile open(Storage storage, String directory, RandomSource random) throws IOException {
        String name = CheckpointNames.superblock(directory);
        if (!storage.exists(name)) {
            create(storage, directory, random);
        }
        StorageFile file = storage.openSynchronous(name);
        SuperblockFile opened = new SuperblockFile(name, file, new Superblock(0, 0, new TreeMap<>()));
        opened.read();
        // What was read may be in the operating system's memory only, and must not vanish after it was acted upon.
        storage.forceDirectory(directory);
        opened.publish(opened.current.next());
        return opened;
    }

    /** Opens the superblock in the directory to read it; changes nothing. */
    static SuperblockFile openToRead(Storage storage, String directory) throws IOException {
        String name = CheckpointNames.superblock(directory);
        SuperblockFile opened = new SuperblockFile(name, storage.open(name), new Superblock(0, 0, new TreeMap<>()));
        opened.read();
        return opened;
    }

    private static void create(Storage storage, String directory, RandomSource random) throws IOException {
        for (String other : storage.list(directory)) {
            if (!CheckpointNames.isNewSuperblock(other)) {
                throw CheckpointFailures.corruption(
                        CheckpointNames.superblock(directory), 0, "the file is missing, but " + other + " is there");
            }
        }
        String name = CheckpointNames.newSuperblock(directory);
        storage.delete(name);
        try (StorageFile file = storage.openSynchronous(name)) {
            SuperblockFile created =
                    new SuperblockFile(name, file, new Superblock(random.nextLong(), 0, new TreeMap<>()));
            created.publish(created.current.next());
        }
        storage.rename(name, CheckpointNames.superblock(directory));
        storage.forceDirectory(directory);
        storage.forceDirectory(StorageNames.directoryOf(directory));
    }

    private void read() throws IOException {
        Superblock newest = null;
        for (int copy = 0; copy < COPIES; copy++) {
            byte[] bytes = new byte[Superblock.SLOT_BYTES];
            int present = file.read((long) copy * Superblock.SLOT_BYTES, ByteBuffer.wrap(bytes));
            Superblock found = Superblock.read(bytes, present);
            if (found == null) {
                remarks.add("copy " + (copy + 1) + " of the superblock in " + name + " at offset "
                        + (long) copy * Superblock.SLOT_BYTES + " is damaged; the other one is used");
            } else if (newest == null || found.generation() > newest.generation()) {
                newest = found;
            }
        }
        if (newest == null) {
            throw CheckpointFailures.corruption(name, 0, "neither of its two copies can be read");
        }
        current = newest;
    }

    Superblock current() {
        return current;
    }

    /** Harmless defects that were found. */
    List<String> remarks() {
        return remarks;
    }

    long writtenBytes() {
        return writtenBytes;
    }

    String name() {
        return name;
    }

    /** Makes the state the one that holds. */
    void publish(Superblock next) throws IOException {
        Invariants.check(next.generation() == current.generation() + 1, "a superblock follows the one before");
        byte[] bytes = next.toBytes();
        byte[] pages = Arrays.copyOf(bytes, (bytes.length + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES);
        for (int i = 0; i < COPIES; i++) {
            long copy = (next.generation() + i) % COPIES;
            file.write(copy * Superblock.SLOT_BYTES, ByteBuffer.wrap(pages));
            writtenBytes += pages.length;
        }
        current = next;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
