package dev.fulmar.pmemlog.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One partition whose rows are set by hand, with checkpoints made on demand. */
final class CheckpointFixture implements CheckpointSource, CheckpointListener, CheckpointPressure {
    static final CheckpointSettings SETTINGS = new CheckpointSettings("checkpoint", 256, 1024, 4096, 8192, 4096);
    static final CheckpointPolicy NEVER = new CheckpointPolicy(1L << 40, 1L << 40, Long.MAX_VALUE, 1L << 40);

    final List<CheckpointPosition> published = new ArrayList<>();
    final List<CheckpointPosition> released = new ArrayList<>();
    private final SortedMap<Long, byte[]> dirty = new TreeMap<>();
    private final SortedMap<Long, byte[]> rows = new TreeMap<>();
    private final CheckpointStore store;
    private final Checkpointer checkpointer;
    private boolean isAbandoned;
    private long sequence;
    long logBytes;
    boolean durable = true;
    int dirtyLooks;
    boolean logIsFull;
    long goneBytes;

    private static final byte[] GONE = {};

    CheckpointFixture(Storage storage, Clock clock, RandomSource random) {
        this(storage, clock, random, SETTINGS, NEVER);
    }

    CheckpointFixture(
            Storage storage, Clock clock, RandomSource random, CheckpointSettings settings, CheckpointPolicy policy) {
        store = CheckpointStore.open(storage, settings, random);
        store.load(
                0,
                (table, bucket, row, array, offset, length) ->
                        rows.put(row, Arrays.copyOfRange(array, offset, offset + length)));
        checkpointer = new Checkpointer(store, List.of(this), policy, this, clock, this);
    }

    /** Rows that a fresh start finds. */
    static SortedMap<Long, byte[]> load(Storage storage, RandomSource random) {
        SortedMap<Long, byte[]> loaded = new TreeMap<>();
        try (CheckpointStore store = CheckpointStore.open(storage, SETTINGS, random)) {
            store.load(
                    0,
                    (table, bucket, row, array, offset, length) -> loaded.put(
                            row + 1_000L * bucket + 1_000_000L * table,
                            Arrays.copyOfRange(array, offset, offset + length)));
        }
        return loaded;
    }

    Checkpointer checkpointer() {
        return checkpointer;
    }

    SortedMap<Long, byte[]> rows() {
        return rows;
    }

    void put(long row, int bytes, int value) {
        byte[] image = new byte[bytes];
        Arrays.fill(image, (byte) value);
        rows.put(row, image);
        dirty.put(row, image);
        sequence++;
    }

    void remove(long row) {
        rows.remove(row);
        dirty.put(row, GONE);
        sequence++;
    }

    /** Takes a checkpoint, and writes back what there is to write back. */
    void checkpoint() {
        checkpointer.request();
        run();
    }

    void run() {
        while (checkpointer.doWork() > 0) {
            FulmarException failure = checkpointer.failure();
            assertThat(failure).isNull();
        }
    }

    void close() {
        store.close();
    }

    @Override
    public int partition() {
        return 0;
    }

    @Override
    public void request(RowBatch batch) {
        if (batch.isFirst()) {
            batch.at(new CheckpointPosition(sequence, 0, sequence, 0));
            goneBytes = 0;
        }
        dirty.forEach((row, image) -> {
            if (image.length == 0) {
                batch.remove(0, 0, row);
            } else {
                batch.add(0, 0, row, image, 0, image.length);
            }
        });
        dirty.clear();
        batch.complete(true);
    }

    @Override
    public void abandoned() {
        isAbandoned = true;
    }

    /** Whether the source has heard that there are no more checkpoints. */
    boolean isAbandoned() {
        return isAbandoned;
    }

    @Override
    public boolean isDurable(CheckpointPosition position) {
        return durable;
    }

    @Override
    public void published(int partition, CheckpointPosition position) {
        published.add(position);
    }

    @Override
    public void released(int partition, CheckpointPosition position) {
        released.add(position);
    }

    @Override
    public void failed(FulmarException cause) {}

    @Override
    public long logBytes() {
        return logBytes;
    }

    @Override
    public long dirtyBytes() {
        dirtyLooks++;
        return 0;
    }

    @Override
    public long goneBytes() {
        return goneBytes;
    }

    @Override
    public boolean logIsFull() {
        return logIsFull;
    }

    static boolean same(SortedMap<Long, byte[]> some, @Nullable SortedMap<Long, byte[]> others) {
        return others != null
                && some.keySet().equals(others.keySet())
                && some.entrySet().stream()
                        .allMatch(row -> Objects.deepEquals(row.getValue(), others.get(row.getKey())));
    }
}
