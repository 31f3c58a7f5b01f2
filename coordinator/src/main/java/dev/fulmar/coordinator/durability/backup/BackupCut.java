package dev.fulmar.coordinator.durability.backup;

import dev.fulmar.coordinator.durability.log.PartitionLog;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.foundation.time.HybridLogicalClock;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Determines the timestamp up to which an online backup has the commits of all partitions, and says when the log holds
 * those durably. First each partition reports the last timestamp that it gave; the cut is the greatest, or the clock's.
 * Then each partition, at a moment without a transaction, notes where its stream ends and gives greater timestamps only
 * from then on. So a transaction of several partitions whose timestamp is not above the cut was decided on all of them
 * before they noted their ends.
 */
public final class BackupCut {
    private final PartitionRuntimes runtimes;
    private final List<PartitionLog> logs;
    private final AtomicLong timestamp;
    private final AtomicInteger told = new AtomicInteger();
    private final AtomicInteger passed = new AtomicInteger();
    private final AtomicLongArray ends;

    public BackupCut(PartitionRuntimes runtimes, List<PartitionLog> logs, Clock clock, long least) {
        this.runtimes = runtimes;
        this.logs = logs;
        this.ends = new AtomicLongArray(logs.size());
        this.timestamp = new AtomicLong(Math.max(least, HybridLogicalClock.ofMicros(clock.wallMicros())));
    }

    /** Begins. On any thread, while no checkpoint begins. */
    void begin() {
        send(this::tell);
    }

    private void tell(Partition partition) {
        timestamp.accumulateAndGet(partition.timestamps().last(), Math::max);
        if (told.incrementAndGet() == runtimes.count()) {
            send(where -> where.whenQuiescent(this::pass));
        }
    }

    private void send(PartitionTask task) {
        runtimes.all().forEach(runtime -> runtime.partition().inbox().put(task));
    }

    private void pass(Partition partition) {
        Invariants.check(partition.isQuiescent(), "a partition passes the cut of a backup between transactions");
        partition.timestamps().observe(timestamp.get());
        int number = partition.id().number();
        ends.set(number, logs.get(number).lane().position());
        int done = passed.incrementAndGet();
        Invariants.check(done <= runtimes.count(), "a partition passes the cut of a backup once");
    }

    /** Whether everything up to the cut is durable. For any thread. */
    boolean isDurable() {
        if (passed.get() < runtimes.count()) {
            return false;
        }
        for (int number = 0; number < logs.size(); number++) {
            if (logs.get(number).lane().durablePosition() < ends.get(number)) {
                return false;
            }
        }
        return true;
    }

    /** The timestamp; final once {@link #isDurable}. */
    long timestamp() {
        return timestamp.get();
    }
}
