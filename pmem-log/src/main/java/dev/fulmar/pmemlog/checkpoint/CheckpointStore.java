package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The checkpoints of a database's partitions on one storage. After {@link #open}, each partition is loaded once, on any
 * thread, several at a time; then a {@link Checkpointer} may go on.
 */
public final class CheckpointStore implements AutoCloseable {
    private final Storage storage;
    private final CheckpointSettings settings;
    private final SuperblockFile superblock;
    private final Map<Integer, PartitionStore> partitions = new ConcurrentHashMap<>();

    private CheckpointStore(Storage storage, CheckpointSettings settings, SuperblockFile superblock) {
        this.storage = storage;
        this.settings = settings;
        this.superblock = superblock;
    }

    /**
     * Opens the checkpoints in the settings' directory; an absent one becomes that of a new database. Fails if the
     * superblock is damaged.
     */
    public static CheckpointStore open(Storage storage, CheckpointSettings settings, RandomSource random) {
        try {
            return new CheckpointStore(storage, settings, SuperblockFile.open(storage, settings.directory(), random));
        } catch (IOException e) {
            throw CheckpointFailures.unreadable(CheckpointNames.superblock(settings.directory()), 0, e);
        }
    }

    /** Opens checkpoints that are to be {@link #read} only. Fails if the superblock is damaged or absent. */
    public static CheckpointStore openToRead(Storage storage, CheckpointSettings settings) {
        try {
            return new CheckpointStore(storage, settings, SuperblockFile.openToRead(storage, settings.directory()));
        } catch (IOException e) {
            throw CheckpointFailures.unreadable(CheckpointNames.superblock(settings.directory()), 0, e);
        }
    }

    /** Bytes that a restart reads of all partitions that are loaded. */
    public long storedBytes() {
        return partitions.values().stream()
                .mapToLong(PartitionStore::storedBytes)
                .sum();
    }

    /** Identity of the database. */
    public long databaseId() {
        return superblock.current().databaseId();
    }

    /** The partitions that have a checkpoint, and up to where it goes. */
    public SortedMap<Integer, CheckpointPosition> positions() {
        SortedMap<Integer, CheckpointPosition> positions = new TreeMap<>();
        superblock.current().partitions().forEach((partition, entry) -> positions.put(partition, entry.position()));
        return positions;
    }

    /** Harmless defects, such as a damaged copy of data that exist twice. */
    public List<String> remarks() {
        return superblock.remarks();
    }

    /**
     * Gives the consumer every row of the partition's checkpoint; none if it has no checkpoint. Fails if something is
     * not there that should be, with file and offset; the rows that were given mean nothing then. Must be called once
     * for each partition that will have checkpoints.
     */
    public LoadReport load(int partition, RowConsumer consumer) {
        Invariants.check(!partitions.containsKey(partition), "a partition is loaded once");
        CheckpointLoader loader = new CheckpointLoader(
                storage,
                settings,
                superblock.current().databaseId(),
                partition,
                superblock.current().partition(partition),
                consumer);
        try {
            partitions.put(
                    partition, new PartitionStore(storage, settings, superblock, partition, loader, loader.load()));
        } catch (IOException e) {
            throw CheckpointFailures.unreadable(settings.directory() + " (partition " + partition + ")", 0, e);
        }
        return loader.report();
    }

    /** As {@link #load}, but changes nothing on the storage, and no checkpoint can follow. */
    public LoadReport read(int partition, RowConsumer consumer) {
        CheckpointLoader loader = new CheckpointLoader(
                storage,
                settings,
                superblock.current().databaseId(),
                partition,
                superblock.current().partition(partition),
                consumer);
        if (superblock.current().partition(partition).checkpoint() == 0) {
            return loader.report();
        }
        try {
            loader.load().close();
        } catch (IOException e) {
            throw CheckpointFailures.unreadable(settings.directory() + " (partition " + partition + ")", 0, e);
        }
        return loader.report();
    }

    /** Files that hold what the superblock names, that one first. They stay as they are while no checkpoint is made. */
    public List<String> files() throws IOException {
        List<String> files = new ArrayList<>();
        files.add(CheckpointNames.superblock(settings.directory()));
        for (Map.Entry<Integer, PartitionEntry> partition :
                superblock.current().partitions().entrySet()) {
            PartitionEntry entry = partition.getValue();
            for (long segment = entry.firstSegment(); segment <= entry.lastSegment(); segment++) {
                files.add(CheckpointNames.clog(settings.directory(), partition.getKey(), segment));
            }
            String master = CheckpointNames.master(settings.directory(), partition.getKey());
            if (storage.exists(master)) {
                files.add(master);
            }
        }
        return files;
    }

    PartitionStore partition(int partition) {
        PartitionStore store = partitions.get(partition);
        if (store == null) {
            throw Invariants.breach("a partition is loaded before it has checkpoints");
        }
        return store;
    }

    /** Sizes of the checkpoints, and where they are. */
    public CheckpointSettings settings() {
        return settings;
    }

    /** Bytes written to the superblock. */
    long superblockBytes() {
        return superblock.writtenBytes();
    }

    @Override
    public void close() {
        try {
            for (PartitionStore partition : new TreeMap<>(partitions).values()) {
                partition.close();
            }
            superblock.close();
        } catch (IOException e) {
            FulmarException failure = CheckpointFailures.unwritable("closing", settings.directory(), e);
            throw failure;
        }
    }
}
