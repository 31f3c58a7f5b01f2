package dev.fulmar.pmemlog.store;

import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.checkpoint.CheckpointListener;
import dev.fulmar.pmemlog.checkpoint.CheckpointPosition;
import dev.fulmar.pmemlog.checkpoint.CheckpointSource;
import dev.fulmar.pmemlog.checkpoint.RowBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/**
 * Gives checkpoints the objects that changed, as a snapshot shows them. An image is the timestamp (8 bytes) and the
 * object. For one thread at a time, but for {@link #changed}.
 */
final class StoreCheckpoints implements CheckpointSource, CheckpointListener {
    /** The store is one partition with one table and one bucket. */
    static final int PARTITION = 0;

    static final int IMAGE_HEADER_BYTES = 8;

    private final Timeline timeline;
    private final ObjectTable objects;
    private final Supplier<Map<Integer, Long>> visibleSequences;
    private final Queue<StoredObject> dirty = new ConcurrentLinkedQueue<>();
    private final Deque<StoredObject> pending = new ArrayDeque<>();
    private final Map<Long, Map<Integer, Long>> sequences = new TreeMap<>();
    private List<StoredObject> gone = new ArrayList<>();
    private StreamRelease release = (stream, sequence) -> {};
    private long last;
    private long current;

    /** Tells the operation log what it may forget. */
    interface StreamRelease {
        void release(int stream, long sequence);
    }

    /** @param visibleSequences of each stream, the last record whose commit is visible */
    StoreCheckpoints(Timeline timeline, ObjectTable objects, Supplier<Map<Integer, Long>> visibleSequences) {
        this.timeline = timeline;
        this.objects = objects;
        this.visibleSequences = visibleSequences;
    }

    void beginAt(long timestamp, StreamRelease newRelease) {
        last = timestamp;
        release = newRelease;
    }

    /** The object was changed, by a commit that is not visible yet. For any thread. */
    void changed(StoredObject object) {
        if (object.markDirty()) {
            dirty.add(object);
        }
    }

    @Override
    public int partition() {
        return PARTITION;
    }

    @Override
    public void request(RowBatch batch) {
        if (batch.isFirst()) {
            Map<Integer, Long> covered = visibleSequences.get();
            current = timeline.beginCheckpoint();
            sequences.put(current, covered);
            for (StoredObject object = dirty.poll(); object != null; object = dirty.poll()) {
                pending.add(object);
            }
            batch.at(new CheckpointPosition(0, 0, current, 0));
        }
        while (!batch.isFull() && !pending.isEmpty()) {
            add(batch, pending.remove());
        }
        if (pending.isEmpty()) {
            timeline.endCheckpoint();
        }
        batch.complete(pending.isEmpty());
    }

    private void add(RowBatch batch, StoredObject object) {
        object.clearDirty();
        Version newest = object.newest();
        Version version = object.at(current);
        if (newest != version) {
            changed(object);
        }
        if (version != null && version.timestamp > last) {
            byte[] image = version.image;
            if (image == null) {
                batch.remove(0, 0, object.id);
                gone.add(object);
            } else {
                int at = batch.begin(0, 0, object.id, IMAGE_HEADER_BYTES + image.length);
                LittleEndian.putLong(batch.array(), at, version.timestamp);
                System.arraycopy(image, 0, batch.array(), at + IMAGE_HEADER_BYTES, image.length);
                batch.end(IMAGE_HEADER_BYTES + image.length);
            }
        }
        if (object.tryLock(this)) {
            timeline.addVersionBytes(-Version.prune(object.newest(), timeline.horizon()));
            object.unlock();
        }
    }

    /** A snapshot shows durable commits only. */
    @Override
    public boolean isDurable(CheckpointPosition position) {
        return true;
    }

    @Override
    public void published(int partition, CheckpointPosition position) {
        last = position.commitTimestamp();
        List<StoredObject> candidates = gone;
        gone = new ArrayList<>();
        for (StoredObject object : candidates) {
            removeIfGone(object);
        }
    }

    /**
     * An object that no snapshot sees any more leaves its id to others. It stays locked, so whoever still has it in
     * hand fails.
     */
    private void removeIfGone(StoredObject object) {
        if (!object.tryLock(this)) {
            gone.add(object);
            return;
        }
        Version newest = object.newest();
        if (newest == null || newest.image != null) {
            object.unlock();
        } else if (newest.timestamp <= timeline.horizon()) {
            objects.remove(object);
        } else {
            object.unlock();
            gone.add(object);
        }
    }

    @Override
    public void released(int partition, CheckpointPosition position) {
        Map<Integer, Long> covered = sequences.remove(position.commitTimestamp());
        sequences.keySet().removeIf(before -> before < position.commitTimestamp());
        if (covered != null) {
            covered.forEach(release::release);
        }
    }

    @Override
    public void failed(FulmarException cause) {
        timeline.endCheckpoint();
    }
}
