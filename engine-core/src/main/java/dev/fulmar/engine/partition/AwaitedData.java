package dev.fulmar.engine.partition;

import dev.fulmar.engine.spi.AbsentData;
import dev.fulmar.engine.spi.DataNeed;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transactions of a partition that wait for data which is not here. That is the third way out of an execution, beside
 * an abort and a rerun with more partitions. What they changed is undone, and they are outside the inbox, so others run
 * meanwhile. A task resumes them; a single-partition transaction then has its place by its arrival. A transaction that
 * holds the lock keeps it, and its coordinator gets no answer until then.
 *
 * <p>Invariant: a parked transaction is resumed, turned away or refused once, and leaves no trace before that.
 */
final class AwaitedData {
    private static final Logger LOG = LoggerFactory.getLogger(AwaitedData.class);

    private final Partition partition;
    private final DeferredWork deferred;
    private final CommandLog log;

    /** In the order in which they came, which is mostly that in which they leave. */
    private final Set<SinglePartitionWork> parked = new LinkedHashSet<>();

    AwaitedData(Partition partition, DeferredWork deferred, CommandLog log) {
        this.partition = partition;
        this.deferred = deferred;
        this.log = log;
    }

    /** Whether one more may wait, of as many as in the inbox; if not, its answer says so. */
    boolean admits(SinglePartitionWork work) {
        int most = partition.inbox().capacity();
        if (parked.size() < most) {
            return true;
        }
        work.undoneAfterwards(new FulmarException(
                ErrorCode.SERVER_BUSY,
                most + " transactions of the partition wait for data that is moved or read; send the request again"
                        + " after a moment"));
        work.refused = true;
        return false;
    }

    /** Parks a transaction, whose changes are undone. */
    void park(SinglePartitionWork work) {
        DataNeed need = work.takeNeed();
        deferred.place(work);
        parked.add(work);
        partition.inbox().parked(parked.size());
        int wait = ++work.waits;
        fetch(need, here -> resume(work, wait));
    }

    private void fetch(DataNeed need, PartitionTask resume) {
        partition.counters().awaited.increment();
        try {
            need.fetch(() -> partition.inbox().put(resume));
        } catch (RuntimeException defect) { // the transaction ends with its time, and the partition lives on
            LOG.warn("data of partition {} cannot be fetched", partition.id(), defect);
        }
    }

    private void resume(SinglePartitionWork work, int wait) {
        if (work.waits == wait && parked.remove(work)) { // else it was resumed before, or sent away
            partition.inbox().parked(parked.size());
            deferred.restore(work);
        }
    }

    /** All go on at once: they meet the guards of the partition, which is not led here any more. */
    void resumeAll() {
        List<SinglePartitionWork> all = List.copyOf(parked);
        parked.clear();
        partition.inbox().parked(0);
        all.forEach(deferred::restore);
    }

    /** The partition handles nothing any more. */
    void refuseAll(PartitionId id) {
        List<SinglePartitionWork> all = List.copyOf(parked);
        parked.clear();
        partition.inbox().parked(0);
        all.forEach(work -> work.refused(id));
    }

    /** Runs a batch of the lock holder, and answers its coordinator when everything that it needs is here. */
    void run(LockHolder holder, List<FragmentWork> batch) {
        try {
            holder.coordinator.deliver(holder.run(batch, partition, log));
        } catch (AbsentData absent) {
            int wait = holder.waits;
            fetch(absent.need(), here -> resume(holder, wait, batch));
        }
    }

    private void resume(LockHolder holder, int wait, List<FragmentWork> batch) {
        if (partition.lock().holder() == holder && holder.waits == wait) { // else it was undone meanwhile
            holder.waits++;
            run(holder, batch);
        }
    }
}
