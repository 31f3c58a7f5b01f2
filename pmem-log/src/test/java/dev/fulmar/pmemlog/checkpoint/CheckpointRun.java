package dev.fulmar.pmemlog.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.simulated.CrashingStorage;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Lives of the checkpoints of two partitions under a random load, one after the other on one disk, each but the last
 * ended by a crash.
 */
final class CheckpointRun {
    static final CheckpointSettings SETTINGS =
            new CheckpointSettings("data/checkpoint", 256, 1024, 4096, 3 * 4096, 4096);
    private static final NodeId NODE = new NodeId(0);
    private static final CheckpointPolicy POLICY = new CheckpointPolicy(1 << 20, 1 << 20, 1L << 40, 1);
    private static final int LARGE_BYTES = 9_000;

    private final SimulatedWorld world;
    private final SeededRandom random;
    private final Set<CrashingStorage.Bug> bugs;
    private final List<ModelPartition> partitions;
    private final Map<Reached, Integer> reached = new EnumMap<>(Reached.class);
    private final String context;
    private int life;

    /** What a campaign must have come across. */
    enum Reached {
        CHECKPOINT,
        SECOND_CHECKPOINT,
        RECLAIMED,
        SUPERSEDED,
        GAVE_SPACE_BACK,
        WRITTEN_STRAIGHT,
        LOADED_FROM_MASTER,
        LOADED_FROM_CLOG,
        REPAIRED_TORN_SLOT,
        DAMAGED_SUPERBLOCK_COPY
    }

    CheckpointRun(long seed, Set<CrashingStorage.Bug> bugs, String context) {
        this.world = new SimulatedWorld(seed);
        this.random = world.random("load");
        this.bugs = bugs;
        this.context = "seed " + seed + ", " + context;
        this.partitions = IntStream.range(0, 2)
                .mapToObj(partition -> new ModelPartition(partition, random))
                .toList();
    }

    Map<Reached, Integer> reached() {
        return reached;
    }

    private void reach(Reached point) {
        reached.merge(point, 1, Integer::sum);
    }

    /** A life that ends after so many points, or in order if there are no more; returns the points that it passed. */
    long live(int steps, long crashAfter, boolean powerFailure) {
        life++;
        SimulatedProcess process = world.startProcess(NODE);
        CrashingStorage storage = new CrashingStorage(process).with(bugs);
        storage.crashAfter(crashAfter, powerFailure);
        try {
            CheckpointStore store = recover(storage);
            Checkpointer checkpointer = new Checkpointer(
                    store, List.copyOf(partitions), POLICY, new NoPressure(), process.clock(), new Listening());
            for (int i = 0; i < steps; i++) {
                step(checkpointer);
            }
            count(checkpointer.counters());
            store.close();
            process.kill();
        } catch (CrashingStorage.Crash e) {
            assertThat(process.isAlive()).isFalse();
        }
        return storage.points();
    }

    void check() {
        live(0, Long.MAX_VALUE, true);
    }

    private CheckpointStore recover(CrashingStorage storage) {
        String where = context + ", life " + life;
        CheckpointStore store;
        try {
            store = CheckpointStore.open(storage, SETTINGS, random);
            if (!store.remarks().isEmpty()) {
                reach(Reached.DAMAGED_SUPERBLOCK_COPY);
            }
            for (ModelPartition partition : partitions) {
                LoadReport report = partition.recover(store, where);
                count(report);
            }
        } catch (FulmarException e) {
            throw new AssertionError(where + ": " + e.getMessage(), e);
        }
        return store;
    }

    private void count(LoadReport report) {
        if (report.fromClog() > 0) {
            reach(Reached.LOADED_FROM_CLOG);
        }
        if (report.rows() > report.fromClog()) {
            reach(Reached.LOADED_FROM_MASTER);
        }
        if (!report.repaired().isEmpty()) {
            reach(Reached.REPAIRED_TORN_SLOT);
        }
    }

    private void count(CheckpointCounters counters) {
        if (counters.checkpoints() > 0) {
            reach(Reached.CHECKPOINT);
        }
        if (counters.rounds() > 1) {
            reach(Reached.SECOND_CHECKPOINT);
        }
        if (counters.reclaimedSegments() > 0) {
            reach(Reached.RECLAIMED);
        }
        if (counters.writtenStraight() > 0) {
            reach(Reached.WRITTEN_STRAIGHT);
        }
        if (counters.givenBackBytes() > 0) {
            reach(Reached.GAVE_SPACE_BACK);
        }
        if (counters.superseded() > 0) {
            reach(Reached.SUPERSEDED);
        }
    }

    private void step(Checkpointer checkpointer) {
        ModelPartition partition = partitions.get(random.nextInt(partitions.size()));
        if (random.nextInt(200) == 0) {
            partition.clearBucket();
        }
        switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> partition.change(random.nextInt(60) == 0 ? LARGE_BYTES : 300);
            case 4 -> partition.makeDurable();
            case 5, 6 -> partitions.forEach(ModelPartition::answer);
            case 7 -> checkpointer.request();
            default -> checkpointer.doWork();
        }
        FulmarException failure = checkpointer.failure();
        if (failure != null) {
            throw new AssertionError(context + ": " + failure.getMessage(), failure);
        }
    }

    private final class Listening implements CheckpointListener {
        @Override
        public void published(int partition, CheckpointPosition position) {
            partitions.get(partition).published(position);
        }

        @Override
        public void released(int partition, CheckpointPosition position) {
            partitions.get(partition).released(position);
        }

        @Override
        public void failed(FulmarException cause) {
            throw new AssertionError(context + ": " + cause.getMessage(), cause);
        }
    }

    private static final class NoPressure implements CheckpointPressure {
        @Override
        public long logBytes() {
            return 0;
        }

        @Override
        public long dirtyBytes() {
            return 0;
        }
    }
}
