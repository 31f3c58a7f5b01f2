package dev.fulmar.engine.partition;

import dev.fulmar.engine.partition.CoordinatorMessage.Vote;
import dev.fulmar.engine.partition.CoordinatorMessage.Wounded;
import dev.fulmar.engine.partition.PartitionMessage.Decision;
import dev.fulmar.engine.partition.PartitionMessage.FragmentBatch;
import dev.fulmar.engine.partition.PartitionMessage.Prepare;
import dev.fulmar.engine.partition.PartitionMessage.PrepareMode;
import dev.fulmar.engine.partition.PartitionMessage.UndoStatements;
import dev.fulmar.engine.partition.SinglePartitionWork.Verdict;
import dev.fulmar.foundation.id.TransactionId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs what arrives at a partition, one message after another. */
public final class PartitionExecutor {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionExecutor.class);

    private final Partition partition;
    private final PartitionLock lock;
    private final UndoPort undo;
    private final CommandLog log;
    private final CommitGate gate;
    private final AccessGuard guard;

    private final DeferredWork deferred;
    private final Speculation speculation = new Speculation();
    private boolean speculationAllowed;
    private long arrivals;
    private boolean halted;

    /** The transaction that is being executed or made final. */
    private @Nullable SinglePartitionWork running;

    public PartitionExecutor(Partition partition, CommandLog log, CommitGate gate, AccessGuard guard) {
        this.partition = partition;
        this.lock = partition.lock();
        this.undo = partition.undo();
        this.deferred = new DeferredWork(partition);
        this.log = log;
        this.gate = gate;
        this.guard = guard;
    }

    public Partition partition() {
        return partition;
    }

    /** Handles up to so many messages and waiting transactions; returns how many. */
    public int run(int limit) {
        if (halted) {
            return 0;
        }
        int handled = 0;
        partition.timestamps().startTurn();
        try {
            while (handled < limit) {
                if (!runWaiting()) {
                    PartitionMessage message = partition.inbox().poll();
                    if (message == null) {
                        break;
                    }
                    handle(message);
                }
                handled++;
            }
        } catch (Throwable defect) { // undo or commit broke off half-way: nothing here can be trusted any more
            LOG.error("partition {} halts, its data may be damaged", partition.id(), defect);
            answerBroken(defect);
            close();
        }
        return handled;
    }

    /** Handles nothing any more; refuses everything that waits, now and later. */
    void close() {
        halted = true;
        LockHolder holder = lock.holder();
        if (holder != null) {
            holder.coordinator.deliver(new Wounded(partition.id(), holder.attempt));
        }
        lock.refuseWaiters(partition.id());
        while (!speculation.isEmpty()) {
            speculation.removeFirst().refused(partition.id());
        }
        while (!deferred.isEmpty()) {
            deferred.remove().refused(partition.id());
        }
        partition.inbox().close();
    }

    private void answerBroken(Throwable defect) {
        SinglePartitionWork broken = running;
        if (broken != null) {
            running = null;
            broken.broke(defect);
            gate.hold(partition, log.position(partition), broken);
        }
    }

    private void handle(PartitionMessage message) {
        switch (message) {
            case SinglePartitionWork work -> arrived(work);
            case FragmentBatch batch -> fragments(batch);
            case UndoStatements request -> undoStatements(request);
            case Prepare prepare -> prepare(prepare);
            case Decision decision -> decide(decision);
            case PartitionTask task -> task.run(partition);
        }
    }

    /** Continues with what waited for the lock, in arrival order of transactions and lock requests; false if nothing can go on. */
    private boolean runWaiting() {
        LockHolder holder = lock.holder();
        if (holder != null) {
            if (!holder.voted || !speculationAllowed || deferred.isEmpty() || !speculation.hasRoom()) {
                return false;
            }
            speculate(deferred.remove());
            return true;
        }
        PartitionLock.Waiter waiter = lock.oldestWaiter();
        if (waiter != null && (deferred.isEmpty() || waiter.arrival() < deferred.firstArrival())) {
            grant(waiter);
            return true;
        }
        if (deferred.isEmpty()) {
            return false;
        }
        execute(deferred.remove());
        return true;
    }

    private void arrived(SinglePartitionWork work) {
        if (deferred.isEmpty() && lock.isIdle()) {
            execute(work);
        } else {
            deferred.add(work, ++arrivals);
        }
    }

    private void execute(SinglePartitionWork work) {
        if (guard.admits(partition, work)) {
            long begin = undo.position();
            settle(work, runAndUndoFailure(work, begin), undo.position());
        }
    }

    private Verdict runAndUndoFailure(SinglePartitionWork work, long begin) {
        running = work;
        Verdict verdict;
        try {
            verdict = work.execute(partition);
        } catch (Throwable defect) { // whatever it is, the partition must live on without its traces
            work.broke(defect);
            verdict = Verdict.ABORT;
        }
        if (verdict != Verdict.COMMIT) {
            undo.undoTo(begin);
        }
        return verdict;
    }

    private void settle(SinglePartitionWork work, Verdict verdict, long end) {
        long timestamp = 0;
        long logPosition;
        if (verdict == Verdict.COMMIT) {
            timestamp = partition.timestamps().next();
            undo.commitTo(end, timestamp);
            logPosition = log.committed(partition, work, timestamp);
            partition.counters().committed.increment();
        } else {
            logPosition = log.position(partition);
        }
        work.settled(partition, verdict, timestamp);
        running = null;
        gate.hold(partition, logPosition, work);
    }

    private void speculate(SinglePartitionWork work) {
        if (guard.admits(partition, work)) {
            work.speculativeVerdict = runAndUndoFailure(work, undo.position());
            work.speculativeEnd = undo.position();
            running = null;
            speculation.add(work);
            partition.counters().speculated.increment();
        }
    }

    private void fragments(FragmentBatch batch) {
        LockHolder holder = lock.holder();
        if (holder != null && holder.is(batch.transaction(), batch.attempt())) {
            holder.coordinator.deliver(holder.run(batch.work(), partition));
        } else if (!lock.wasWounded(batch.transaction(), batch.attempt())) {
            lock.enqueue(new PartitionLock.Waiter(
                    batch, ++arrivals, partition.clock().monotonicNanos()));
            if (holder != null || lock.waiterCount() > 1 || !deferred.isEmpty()) {
                partition.counters().lockWaits.increment();
            }
            if (holder != null && lock.mustYield()) {
                wound(holder);
            }
        }
    }

    private void grant(PartitionLock.Waiter waiter) {
        FragmentBatch batch = waiter.batch();
        LockHolder holder = new LockHolder(batch.transaction(), batch.attempt(), batch.coordinator(), undo.position());
        lock.grant(holder);
        partition.counters().lockWaitNanos.add(partition.clock().monotonicNanos() - waiter.sinceNanos());
        holder.coordinator.deliver(holder.run(batch.work(), partition));
    }

    private void wound(LockHolder holder) {
        holder.undoAll(partition);
        lock.wound(holder);
        partition.counters().wounds.increment();
        partition.counters().distributedAborted.increment();
        holder.coordinator.deliver(new Wounded(partition.id(), holder.attempt));
    }

    private void undoStatements(UndoStatements request) {
        LockHolder holder = lock.holder();
        if (holder != null && holder.is(request.transaction(), request.attempt())) {
            holder.undoFrom(request.firstStatement(), partition);
        }
    }

    private void prepare(Prepare prepare) {
        LockHolder holder = lock.holder();
        if (holder == null || !holder.is(prepare.transaction(), prepare.attempt())) {
            if (!lock.wasWounded(prepare.transaction(), prepare.attempt())) {
                prepare.coordinator().deliver(new Vote(partition.id(), prepare.attempt(), false, 0));
            }
            return;
        }
        holder.voted = true;
        holder.end = undo.position();
        long timestamp = partition.timestamps().next();
        Vote vote = new Vote(partition.id(), prepare.attempt(), true, timestamp);
        CommitGate.Departure departure = replies -> holder.coordinator.deliver(vote);
        if (prepare.mode() == PrepareMode.COMMIT) {
            commit(holder, timestamp);
            gate.hold(partition, log.decided(partition, holder.transaction, true, timestamp), departure);
        } else {
            speculationAllowed = prepare.mode() == PrepareMode.SPECULATE;
            gate.hold(partition, log.prepared(partition, holder.transaction, timestamp), departure);
        }
    }

    private void decide(Decision decision) {
        TransactionId transaction = decision.transaction();
        LockHolder holder = lock.holder();
        if (holder == null || !holder.is(transaction, decision.attempt())) {
            lock.forget(transaction, decision.attempt());
            return;
        }
        if (holder.voted) {
            log.decided(partition, transaction, decision.commit(), decision.commitTimestamp());
        }
        if (decision.commit()) {
            commit(holder, decision.commitTimestamp());
            while (!speculation.isEmpty()) {
                SinglePartitionWork work = speculation.removeFirst();
                running = work;
                settle(work, work.speculativeVerdict, work.speculativeEnd);
            }
        } else {
            abort(holder);
        }
    }

    private void commit(LockHolder holder, long timestamp) {
        partition.timestamps().observe(timestamp);
        undo.commitTo(holder.end, timestamp);
        holder.committed(partition, timestamp);
        lock.release();
        partition.counters().distributedCommitted.increment();
    }

    private void abort(LockHolder holder) {
        deferred.takeBack(speculation);
        holder.undoAll(partition);
        lock.release();
        partition.counters().distributedAborted.increment();
    }
}
