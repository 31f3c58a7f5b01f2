package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.pmemlog.checkpoint.CheckpointPolicy.Reason;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The agent that makes checkpoints. When one is due it goes round the partitions: it asks each for the rows that are
 * dirty, in bounded batches, appends them to the partition's checkpoint log, and publishes the checkpoint once
 * everything in it is durable, also in the operation log. Between checkpoints it writes the oldest part of a checkpoint
 * log that has become long to the master heap. It has no thread of its own and never waits.
 */
public final class Checkpointer implements Agent {
    /** Time between two attempts to write to a full device. */
    private static final long RETRY_NANOS = 1_000_000_000;

    /** Between two looks at all partitions while no checkpoint is due. */
    private static final long LOOK_NANOS = 40_000_000;

    /** Bytes that must have gone for a checkpoint that gives their space back, and their least share of all. */
    private static final long LEAST_GONE_BYTES = 16 << 20;

    private static final int LEAST_GONE_SHARE = 8;

    /** Time in which nothing more goes before that: most of it goes together, as in a reconfiguration. */
    private static final long GONE_PAUSE_NANOS = 5_000_000_000L;

    /** Work after which it rests. */
    private static final long STINT_NANOS = 3_000_000;

    /** Rest for each nanosecond of work: transactions need processor and device too. */
    private static final int REST = 3;

    private final CheckpointStore store;
    private final List<CheckpointSource> sources;
    private final CheckpointPolicy policy;
    private final CheckpointPressure pressure;
    private final Clock clock;
    private final CheckpointListener listener;
    private final CheckpointCounters counters = new CheckpointCounters();
    private final AtomicBoolean requested = new AtomicBoolean();
    private final RowBatch batch;
    private final SortedMap<Integer, CheckpointPosition> lastRound = new TreeMap<>();
    private SortedMap<Integer, CheckpointPosition> releasedRound = new TreeMap<>();
    private volatile Stage stage = Stage.IDLE;
    private volatile int current;
    private CheckpointPosition position = CheckpointPosition.START;
    private volatile long logBytesAtRound;
    private volatile long replayBytesAtRound;
    private long roundBeginNanos;
    private long lastRoundNanos;
    private long retryNanos;
    private long nextLookNanos;
    private long goneBytes;
    private long goneNanos;
    private long workedNanos;
    private long restUntilNanos;
    private boolean resting;
    private volatile Reason lastReason = Reason.NONE;
    private volatile @Nullable FulmarException failure;
    private volatile @Nullable FulmarException shortage;
    private final AtomicReference<Hold> hold = new AtomicReference<>(Hold.NONE);

    private enum Hold {
        NONE,
        WANTED,
        HELD
    }

    /** Stages of a checkpointer's work. */
    public enum Stage {
        IDLE,
        COLLECTING,
        WAITING_FOR_LOG
    }

    /** @param store all partitions of the sources are loaded */
    public Checkpointer(
            CheckpointStore store,
            List<CheckpointSource> sources,
            CheckpointPolicy policy,
            CheckpointPressure pressure,
            Clock clock,
            CheckpointListener listener) {
        this.store = store;
        this.sources = List.copyOf(sources);
        this.policy = policy;
        this.pressure = pressure;
        this.clock = clock;
        this.listener = listener;
        this.batch = new RowBatch(store.settings().groupBytes());
        roundBeginNanos = clock.monotonicNanos();
        nextLookNanos = roundBeginNanos;
        lastRound.putAll(store.positions());
        this.sources.forEach(source -> counters.stored(store.partition(source.partition())));
    }

    /** Called, on any thread, when there is something to do at once. */
    public void wakeWith(Runnable waker) {
        batch.wakeWith(waker);
    }

    /** Asks for a checkpoint now; one that is under way comes first. For any thread. */
    public void request() {
        requested.set(true);
    }

    /** Counters of checkpoints. For any thread. */
    public CheckpointCounters counters() {
        return counters;
    }

    /** The reason of the last round. For any thread. */
    public Reason lastReason() {
        return lastReason;
    }

    /** The failure after which there are no checkpoints any more; null while there are. For any thread. */
    public @Nullable FulmarException failure() {
        return failure;
    }

    /** The reason for which checkpoints wait for space on the device; null while they do not. For any thread. */
    public @Nullable FulmarException shortage() {
        return shortage;
    }

    /** The present stage. For any thread. */
    public Stage stage() {
        return stage;
    }

    /** Number of partitions of the round under way that are done; 0 between rounds. For any thread. */
    public int roundPartitionsDone() {
        return stage == Stage.IDLE ? 0 : current;
    }

    /** Number of partitions of a round. For any thread. */
    public int roundPartitions() {
        return sources.size();
    }

    /** When a checkpoint is due. */
    public CheckpointPolicy policy() {
        return policy;
    }

    /** Log that a restart would have to replay, roughly. For any thread. */
    public long logBytesSinceRound() {
        return Math.max(0, pressure.logBytes() - logBytesAtRound);
    }

    /** The same weighted by what the replay costs. For any thread. */
    public long replayBytesSinceRound() {
        return Math.max(0, pressure.replayBytes() - replayBytesAtRound);
    }

    /** Rows changed since their last checkpoint, roughly in bytes. For any thread. */
    public long dirtyBytes() {
        return pressure.dirtyBytes();
    }

    /**
     * From the next moment between two checkpoints on, as {@link #isHeld} tells, nothing is written until
     * {@link #resume}. For any thread.
     */
    public void hold() {
        hold.compareAndSet(Hold.NONE, Hold.WANTED);
    }

    /** Whether nothing is written, and what the superblock names stays as it is. For any thread. */
    public boolean isHeld() {
        return hold.get() == Hold.HELD;
    }

    /** Ends a {@link #hold}. For any thread. */
    public void resume() {
        hold.set(Hold.NONE);
    }

    @Override
    public String roleName() {
        return "checkpoints " + store.settings().directory();
    }

    @Override
    public int doWork() {
        if (hold.get() != Hold.NONE && (stage == Stage.IDLE || failure != null)) {
            hold.compareAndSet(Hold.WANTED, Hold.HELD);
            return 0;
        }
        long beginNanos = clock.monotonicNanos();
        if (failure != null || (shortage != null && beginNanos - retryNanos < 0) || rests(beginNanos)) {
            return 0;
        }
        if (stage == Stage.IDLE && beginNanos - nextLookNanos < 0 && !isLogDue()) {
            return 0;
        }
        try {
            int work = switch (stage) {
                case IDLE -> begin();
                case COLLECTING -> collect();
                case WAITING_FOR_LOG -> publish();
            };
            shortage = null;
            worked(beginNanos);
            return work;
        } catch (IOException e) {
            if (CheckpointFailures.isOfRoom(e)) {
                shortage = CheckpointFailures.noRoom(store.settings().directory(), e);
                retryNanos = clock.monotonicNanos() + RETRY_NANOS;
                return 0;
            }
            fail(CheckpointFailures.unwritable("a checkpoint", store.settings().directory(), e));
            return 1;
        } catch (FulmarException e) {
            fail(e);
            return 1;
        }
    }

    private boolean rests(long nowNanos) {
        resting = resting && nowNanos - restUntilNanos < 0 && !isPressed();
        return resting;
    }

    private void worked(long beginNanos) {
        long nowNanos = clock.monotonicNanos();
        workedNanos += nowNanos - beginNanos;
        if (workedNanos >= STINT_NANOS) {
            resting = true;
            restUntilNanos = nowNanos + REST * workedNanos;
            workedNanos = 0;
        }
    }

    /** Whether a checkpoint may be due without a look at each partition. */
    private boolean isLogDue() {
        return requested.get() || logBytesSinceRound() >= policy.mostLogBytes() || pressure.logIsFull();
    }

    /** Whether the next checkpoint is due already, a caller waits for one, or entries to be written back pile up. */
    private boolean isPressed() {
        boolean asked = requested.get() || (stage != Stage.IDLE && lastReason == Reason.REQUEST);
        return asked || logBytesSinceRound() >= policy.mostLogBytes() || isPiledUp();
    }

    private boolean isPiledUp() {
        return piledUp() != null;
    }

    /** The first partition whose checkpoint log has twice the wanted bytes; null if none has. */
    private @Nullable PartitionStore piledUp() {
        for (CheckpointSource source : sources) {
            PartitionStore partition = store.partition(source.partition());
            if (partition.liveBytes() > 2 * store.settings().clogBytes()) {
                return partition;
            }
        }
        return null;
    }

    private void fail(FulmarException cause) {
        failure = cause;
        sources.forEach(CheckpointSource::abandoned);
        listener.failed(cause);
    }

    private int begin() throws IOException {
        if (reclaimsPiledUp()) {
            return 1;
        }
        Reason reason = due();
        if (reason == Reason.NONE || sources.isEmpty()) {
            int reclaimed = reclaim();
            if (reclaimed == 0) {
                nextLookNanos = clock.monotonicNanos() + LOOK_NANOS;
            }
            return reclaimed;
        }
        requested.set(false);
        lastReason = reason;
        logBytesAtRound = pressure.logBytes();
        replayBytesAtRound = pressure.replayBytes();
        roundBeginNanos = clock.monotonicNanos();
        beginPartition(0);
        return 1;
    }

    private Reason due() {
        if (requested.get()) {
            return Reason.REQUEST;
        }
        Reason reason =
                policy.due(logBytesSinceRound(), replayBytesExpected(), pressure.dirtyBytes(), counters.storedBytes());
        if (reason != Reason.NONE) {
            return reason;
        }
        return pressure.logIsFull() && wouldRelease() ? Reason.LOG_FULL : wouldGiveBack() ? Reason.SPACE : Reason.NONE;
    }

    /** Whether much has gone, and nothing more goes, so that a checkpoint gives the space of it back. */
    private boolean wouldGiveBack() {
        long gone = pressure.goneBytes();
        if (gone != goneBytes) {
            goneBytes = gone;
            goneNanos = clock.monotonicNanos();
        }
        return gone >= LEAST_GONE_BYTES
                && gone >= counters.storedBytes() / LEAST_GONE_SHARE
                && clock.monotonicNanos() - goneNanos >= GONE_PAUSE_NANOS;
    }

    /**
     * Whether the log could give up more after a round although nothing has been written to it: what a round covers
     * goes one round later.
     */
    private boolean wouldRelease() {
        for (Map.Entry<Integer, CheckpointPosition> covered : lastRound.entrySet()) {
            CheckpointPosition gone = releasedRound.getOrDefault(covered.getKey(), CheckpointPosition.START);
            if (gone.sequence() < covered.getValue().sequence()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Most bytes that a restart would replay if the node ended at the end of a round that begins now. Until the new
     * checkpoint holds, the log since the one before counts, and goes on growing. A round is taken to last as long as
     * the one before, but not longer than the time between them.
     */
    private long replayBytesExpected() {
        long bytes = replayBytesSinceRound();
        long sinceNanos = Math.max(1, clock.monotonicNanos() - roundBeginNanos);
        return bytes + (long) (bytes * Math.min(1.0, (double) lastRoundNanos / sinceNanos));
    }

    private void beginPartition(int index) {
        current = index;
        stage = Stage.COLLECTING;
        batch.reset(true);
        sources.get(index).request(batch);
    }

    private int collect() throws IOException {
        if (!batch.isComplete()) {
            return 0;
        }
        CheckpointSource source = sources.get(current);
        PartitionStore partition = store.partition(source.partition());
        if (batch.isFirst()) {
            position = batch.position();
        }
        CheckpointCounters.Work before = CheckpointCounters.Work.of(partition);
        partition.append(batch);
        counters.add(before, CheckpointCounters.Work.of(partition));
        if (batch.isLast()) {
            stage = Stage.WAITING_FOR_LOG;
        } else {
            batch.reset(false);
            source.request(batch);
        }
        return 1;
    }

    private int publish() throws IOException {
        CheckpointSource source = sources.get(current);
        if (!source.isDurable(position)) {
            return 0;
        }
        PartitionStore partition = store.partition(source.partition());
        CheckpointCounters.Work before = CheckpointCounters.Work.of(partition);
        if (partition.isNews(position)) {
            partition.publish(position);
            counters.checkpoint();
        } else {
            partition.endCheckpoint();
        }
        counters.add(before, CheckpointCounters.Work.of(partition));
        counters.superblockBytes(store.superblockBytes());
        listener.published(source.partition(), position);
        if (current + 1 < sources.size()) {
            beginPartition(current + 1);
        } else {
            endRound();
        }
        return 1;
    }

    private void endRound() {
        stage = Stage.IDLE;
        nextLookNanos = clock.monotonicNanos();
        lastRoundNanos = clock.monotonicNanos() - roundBeginNanos;
        counters.round(lastRoundNanos);
        SortedMap<Integer, CheckpointPosition> released = new TreeMap<>(lastRound);
        for (CheckpointSource source : sources) {
            lastRound.put(
                    source.partition(),
                    store.partition(source.partition()).entry().position());
        }
        released.forEach(listener::released);
        releasedRound = released;
    }

    /**
     * Writes a segment back of a partition whose entries pile up, also where a round is due. Rounds that follow each
     * other without a pause would let the checkpoint log grow until the device is full. A round may do without the
     * room or the descriptor that this lacks.
     */
    private boolean reclaimsPiledUp() throws IOException {
        PartitionStore partition = piledUp();
        if (partition == null || !partition.needsReclaim()) {
            return false;
        }
        try {
            reclaim(partition);
            return true;
        } catch (IOException e) {
            if (!CheckpointFailures.isOfRoom(e)) {
                throw e;
            }
            return false;
        }
    }

    private int reclaim() throws IOException {
        for (CheckpointSource source : sources) {
            PartitionStore partition = store.partition(source.partition());
            if (partition.hasExcess()) {
                giveBack(partition);
                return 1;
            }
            if (partition.needsReclaim()) {
                reclaim(partition);
                return 1;
            }
        }
        return 0;
    }

    private void giveBack(PartitionStore partition) throws IOException {
        CheckpointCounters.Work before = CheckpointCounters.Work.of(partition);
        partition.giveBack();
        counters.add(before, CheckpointCounters.Work.of(partition));
    }

    private void reclaim(PartitionStore partition) throws IOException {
        CheckpointCounters.Work before = CheckpointCounters.Work.of(partition);
        partition.reclaim();
        counters.add(before, CheckpointCounters.Work.of(partition));
        counters.superblockBytes(store.superblockBytes());
        counters.reclaimed();
    }
}
