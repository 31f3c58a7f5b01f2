package dev.fulmar.pmemlog.store;

import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.checkpoint.CheckpointStore;
import dev.fulmar.pmemlog.checkpoint.Checkpointer;
import dev.fulmar.pmemlog.log.OperationLog;
import dev.fulmar.pmemlog.log.PartitionLogBuffer;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.record.RecordWriter;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes an object store's log and checkpoints on the threads that use the store, without threads of its own. Of the
 * threads that wait for their commits one writes the group for all; those that come meanwhile make the next group. So a
 * commit costs no change of threads, and a group one fence.
 */
final class StoreLog {
    /** Part of the log's segments, in quarters, from which on writers wait for a checkpoint. */
    private static final int FULL_QUARTERS = 3;

    private final OperationLog log;
    private final CheckpointStore checkpoints;
    private final Checkpointer checkpointer;
    private final ReentrantLock writing = new ReentrantLock();
    private final ReentrantLock upkeeping = new ReentrantLock();

    StoreLog(OperationLog log, CheckpointStore checkpoints, Checkpointer checkpointer) {
        this.log = log;
        this.checkpoints = checkpoints;
        this.checkpointer = checkpointer;
    }

    OperationLog log() {
        return log;
    }

    Checkpointer checkpointer() {
        return checkpointer;
    }

    PartitionLogBuffer openLane(int stream) {
        writing.lock();
        try {
            return log.openLane(stream);
        } finally {
            writing.unlock();
        }
    }

    /** Begins a record, for which the lane will have room. */
    RecordWriter begin(PartitionLogBuffer lane, int payloadBytes) {
        makeSpace();
        RecordWriter record = lane.begin(RecordKind.VALUES, payloadBytes);
        while (record == null) {
            drive();
            record = lane.begin(RecordKind.VALUES, payloadBytes);
        }
        return record;
    }

    /** Returns once everything up to the position is durable. */
    void await(PartitionLogBuffer lane, long position) {
        while (lane.durablePosition() < position) {
            boolean stuck;
            writing.lock();
            try {
                stuck = lane.durablePosition() < position && log.doWork() == 0;
            } finally {
                writing.unlock();
            }
            checkFailure();
            if (stuck) {
                drive();
            }
        }
    }

    /** Fails if nothing becomes durable any more. */
    void checkFailure() {
        FulmarException failure = log.failure();
        if (failure != null) {
            throw new FulmarException(failure.code(), String.valueOf(failure.getMessage()), failure);
        }
    }

    /**
     * Makes checkpoints while the log is nearly full, two rounds at most, for what one covers the next one releases.
     */
    private void makeSpace() {
        if (!isNearlyFull()) {
            return;
        }
        long enough = checkpointer.counters().rounds() + 2;
        while (isNearlyFull() && checkpointer.counters().rounds() < enough && checkpointer.failure() == null) {
            checkpointer.request();
            drive();
            checkFailure();
        }
    }

    private boolean isNearlyFull() {
        return log.counters().liveSegments() * 4 > (long) log.settings().maxSegments() * FULL_QUARTERS;
    }

    /**
     * Returns after the group that is being written, if one is: what another transaction is about to commit is most
     * likely in it.
     */
    void joinGroup() {
        writing.lock();
        try {
            log.doWork();
        } finally {
            writing.unlock();
        }
        checkFailure();
    }

    /** Does some of everything, or lets those go on who do. */
    int drive() {
        int work = 0;
        if (writing.tryLock()) {
            try {
                work += log.doWork();
            } finally {
                writing.unlock();
            }
        }
        work += upkeep();
        if (work == 0) {
            Patience.giveWay();
        }
        return work;
    }

    /** Prepares segments and makes checkpoints. */
    int upkeep() {
        if (!upkeeping.tryLock()) {
            return 0;
        }
        try {
            return log.preparer().doWork() + checkpointer.doWork();
        } finally {
            upkeeping.unlock();
        }
    }

    /** Asks for a checkpoint and returns once one that began after this call holds. */
    void checkpoint() {
        long enough = checkpointer.counters().rounds() + 2;
        while (checkpointer.counters().rounds() < enough) {
            FulmarException failure = checkpointer.failure();
            if (failure != null) {
                throw new FulmarException(failure.code(), String.valueOf(failure.getMessage()), failure);
            }
            checkpointer.request();
            drive();
            checkFailure();
        }
    }

    @Nullable FulmarException failure() {
        return log.failure();
    }

    void close() {
        upkeeping.lock();
        writing.lock();
        try {
            log.onClose();
            log.preparer().onClose();
            checkpoints.close();
        } finally {
            writing.unlock();
            upkeeping.unlock();
        }
    }
}
