package dev.fulmar.engine.partition;

import dev.fulmar.engine.partition.counter.PartitionCounters;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import dev.fulmar.foundation.time.Clock;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A partition's state, as far as the work that runs on it can reach it. */
public final class Partition {
    private final PartitionId id;
    private final UndoPort undo;
    private final Clock clock;
    private final PartitionClock timestamps;
    private final PartitionLock lock = new PartitionLock();
    private final SnapshotReaders readers = new SnapshotReaders(this, lock);
    private final SliceQueue slices = new SliceQueue();
    private final PartitionCounters counters = new PartitionCounters();
    private final PartitionInbox inbox;
    private final ThreadTies threadTies = new ThreadTies();
    private final ArrayDeque<PartitionTask> quiescentTasks = new ArrayDeque<>();

    /** Its log has a part whose decision has yet to come, and of which the rows have nothing. */
    private boolean awaitsDecision;

    public Partition(PartitionId id, UndoPort undo, Clock clock, int queueCapacity) {
        this.id = id;
        this.undo = undo;
        this.clock = clock;
        this.timestamps = new PartitionClock(clock);
        this.inbox = new PartitionInbox(id, queueCapacity);
    }

    public PartitionId id() {
        return id;
    }

    /** The way in, for any thread. */
    public PartitionInbox inbox() {
        return inbox;
    }

    /** The changes that are not final. */
    public UndoPort undo() {
        return undo;
    }

    public Clock clock() {
        return clock;
    }

    /** Commit timestamps, and the time of the current turn. */
    public PartitionClock timestamps() {
        return timestamps;
    }

    /** May be read by any thread. */
    public PartitionCounters counters() {
        return counters;
    }

    /** Readers of snapshots; for the partition's thread. */
    public SnapshotReaders readers() {
        return readers;
    }

    /** Long reading under way; for the partition's thread. */
    public SliceQueue slices() {
        return slices;
    }

    /** Whether the partition handles nothing more at this site. For the partition's thread. */
    boolean isStopped() {
        return threadTies.isStopped();
    }

    /** Control code that keeps the partition at its thread. Any thread. */
    public ThreadTies threadTies() {
        return threadTies;
    }

    /** Whether everything visible is committed: no transaction is under way. */
    public boolean isQuiescent() {
        return lock.holder() == null && !awaitsDecision;
    }

    /** Whether the log that a copy follows has a part whose decision has yet to come. For the partition's thread. */
    public void awaitDecision(boolean awaits) {
        awaitsDecision = awaits;
    }

    /** Whether a multi-partition transaction holds the partition. Any thread; the answer may be a moment old. */
    public boolean isLocked() {
        return lock.isHeld();
    }

    /**
     * The part that has voted and waits for the decision of a base partition; null if there is none. For the
     * partition's thread.
     */
    public @Nullable VotedPart votedPart() {
        LockHolder holder = lock.holder();
        PartitionId base = holder == null ? null : holder.base;
        return holder == null || base == null || !holder.voted || !holder.voteLeft
                ? null
                : new VotedPart(holder.transaction, holder.attempt, base);
    }

    /**
     * Locks the partition for a transaction that voted in an earlier life, or on another copy, and whose outcome is not
     * known. Before the partition runs, or on its thread.
     *
     * @param coordinator hears what the partition has to say of it
     * @param proposal the earliest timestamp that it may commit with
     * @param base partition that knows the outcome
     * @param part makes the changes, which are not there yet, in {@link FragmentWork#committed}
     */
    public void restorePrepared(
            TransactionId transaction,
            int attempt,
            CoordinatorPort coordinator,
            long proposal,
            PartitionId base,
            FragmentWork part) {
        lock.restore(LockHolder.prepared(transaction, attempt, coordinator, undo.position(), proposal, base, part));
        timestamps.observe(proposal);
    }

    /**
     * Runs the task on the partition's thread before the next transaction that begins while none is under way, after
     * those that wait already. For the partition's thread.
     */
    public void whenQuiescent(PartitionTask task) {
        quiescentTasks.addLast(task);
    }

    /** Runs the task that waits for a moment without a transaction, which this is; returns whether there was one. */
    boolean runQuiescentTask() {
        PartitionTask task = awaitsDecision ? null : quiescentTasks.pollFirst();
        if (task == null) {
            return false;
        }
        task.run(this);
        return true;
    }

    PartitionLock lock() {
        return lock;
    }
}
