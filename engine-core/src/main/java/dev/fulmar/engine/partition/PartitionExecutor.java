package dev.fulmar.engine.partition;

import dev.fulmar.engine.partition.CoordinatorMessage.Decided;
import dev.fulmar.engine.partition.CoordinatorMessage.InDoubt;
import dev.fulmar.engine.partition.CoordinatorMessage.Lost;
import dev.fulmar.engine.partition.CoordinatorMessage.Refused;
import dev.fulmar.engine.partition.CoordinatorMessage.Vote;
import dev.fulmar.engine.partition.CoordinatorMessage.Wounded;
import dev.fulmar.engine.partition.PartitionMessage.Abandon;
import dev.fulmar.engine.partition.PartitionMessage.BaseDecision;
import dev.fulmar.engine.partition.PartitionMessage.Decision;
import dev.fulmar.engine.partition.PartitionMessage.FragmentBatch;
import dev.fulmar.engine.partition.PartitionMessage.Prepare;
import dev.fulmar.engine.partition.PartitionMessage.PrepareMode;
import dev.fulmar.engine.partition.PartitionMessage.UndoStatements;
import dev.fulmar.engine.partition.SinglePartitionWork.Verdict;
import dev.fulmar.engine.partition.counter.PartitionCounters;
import dev.fulmar.engine.spi.SliceHaste;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.FatalErrors;
import dev.fulmar.foundation.id.TransactionId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Executes the messages of a partition, one after another. */
public final class PartitionExecutor {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionExecutor.class);

    private final Partition partition;
    private final PartitionLock lock;
    private final UndoPort undo;
    private final CommandLog log;
    private final StrictReadGate gate;
    private final SnapshotReaders readers;
    private final LeadershipGuard guard;
    private final TurnListener turns;

    private final DeferredWork deferred;
    private final AwaitedData awaited;
    private final Speculation speculation = new Speculation();
    private boolean halted;

    /** The guard failed to have this copy of the partition replaced: nothing may be done with it any more. */
    private boolean stuck;

    private boolean worked;

    /** The transaction that is being executed or made final. */
    private @Nullable SinglePartitionWork running;

    public PartitionExecutor(
            Partition partition, CommandLog log, CommitGate gate, LeadershipGuard guard, TurnListener turns) {
        this.partition = partition;
        this.lock = partition.lock();
        this.undo = partition.undo();
        this.deferred = new DeferredWork(partition);
        this.awaited = new AwaitedData(partition, deferred, log);
        this.log = log;
        this.readers = partition.readers();
        this.gate = readers.bind(gate, log, guard);
        this.guard = guard;
        this.turns = turns;
    }

    public Partition partition() {
        return partition;
    }

    /** Handles up to so many messages and waiting transactions; returns how many. */
    public int run(int limit) {
        worked = false;
        if (halted) {
            return stuck ? 0 : beginTurn(); // what was done before was done well
        }
        int handled = beginTurn() + (undo.reclaim() ? 1 : 0);
        partition.timestamps().startTurn();
        try {
            while (handled < limit && !partition.isStopped() && !log.isCrowded(partition)) {
                if (runWaiting()) {
                    worked = true;
                } else {
                    PartitionMessage message = partition.inbox().poll();
                    if (message == null) {
                        break;
                    }
                    worked |= !(message instanceof PartitionTask);
                    handle(message);
                }
                handled++;
                partition.counters().steps.increment();
            }
        } catch (Throwable defect) { // undo or commit broke off half-way: nothing here can be trusted any more
            LOG.error("partition {} halts, its data may be damaged", partition.id(), defect);
            answerBroken(defect);
            if (!isReplaced(defect)) {
                close();
            }
        }
        return handled;
    }

    private boolean isReplaced(Throwable defect) {
        try {
            return guard.replaces(partition, defect);
        } catch (RuntimeException | Error another) { // not even that can be done with what is here
            LOG.error("partition {} stays halted", partition.id(), another);
            stuck = true;
            return false;
        }
    }

    /**
     * Gives up this copy of the partition: forgets the transactions under way. Messages that wait meet the guard. On
     * the partition's thread.
     */
    public void abandon() {
        LockHolder holder = lock.holder();
        deferred.takeBack(speculation);
        awaited.resumeAll();
        undo.giveUp();
        if (holder != null && holder.owesVote()) {
            holder.coordinator.deliver(new Wounded(partition.id(), holder.attempt));
        }
        lock.turnAway(partition.id());
        readers.sendAway();
    }

    /** Whether the last {@link #run} did anything of a transaction that does more than read a snapshot. */
    boolean hasWorked() {
        return worked;
    }

    /** Whether long reading waits for its next slice. */
    boolean isReading() {
        return !halted && !partition.slices().isEmpty();
    }

    /** Goes on with long reading, which waits; returns its haste. */
    SliceHaste runSlice() {
        return partition.slices().run();
    }

    private int beginTurn() {
        int done = turns.turnBegins(partition);
        return done + gate.release(partition);
    }

    /** Ends the turn that {@link #run} began: what was executed in it becomes durable together. */
    void endTurn() {
        log.turnEnded(partition);
        PartitionCounters counters = partition.counters();
        if (counters.snapshotsActive.get() > 0 || counters.versionBytes.get() > 0) {
            counters.holdVersions(undo.versionBytes());
        }
    }

    /** Handles nothing any more; refuses everything that waits, now and later. */
    void close() {
        halted = true;
        LockHolder holder = lock.holder();
        if (holder != null) {
            holder.coordinator.deliver(new Wounded(partition.id(), holder.attempt));
        }
        lock.refuseWaiters(partition.id());
        partition.slices().close();
        readers.close();
        while (!speculation.isEmpty()) {
            speculation.removeFirst().refused(partition.id());
        }
        awaited.refuseAll(partition.id());
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
            case BaseDecision decision -> decideAsBase(decision);
            case Abandon abandon -> abandon(abandon);
            case PartitionTask task -> task.run(partition);
        }
    }

    /**
     * Continues with what waited for the lock, in arrival order of transactions and lock requests; false if nothing can
     * go on.
     */
    private boolean runWaiting() {
        LockHolder holder = lock.holder();
        if (holder != null) {
            if (!holder.voted || !holder.speculates || deferred.isEmpty() || !speculation.hasRoom()) {
                return false;
            }
            speculate(deferred.remove());
            return true;
        }
        if (partition.runQuiescentTask()) {
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
            deferred.add(work);
        }
    }

    private void execute(SinglePartitionWork work) {
        if (guard.admits(partition, work)) {
            if (Invariants.EXPENSIVE) {
                Invariants.check(
                        lock.holder() == null && speculation.isEmpty(),
                        "a transaction commits at once only on a partition whose lock is free");
            }
            long begin = undo.position();
            Verdict verdict = runAndUndoFailure(work, begin);
            if (verdict == Verdict.COMMIT) {
                long timestamp = partition.timestamps().next();
                if (undo.position() != begin) {
                    gate.changed(timestamp);
                }
                long logPosition = log.committed(partition, work, begin, timestamp);
                settle(work, verdict, undo.position(), timestamp, logPosition);
            } else if (verdict == Verdict.AWAIT) {
                running = null;
                awaited.park(work);
            } else {
                settle(work, verdict, begin, 0, log.position(partition));
            }
        }
    }

    private Verdict runAndUndoFailure(SinglePartitionWork work, long begin) {
        running = work;
        work.refused = false;
        Verdict verdict;
        try {
            verdict = work.execute(partition);
        } catch (Throwable defect) { // whatever it is, the partition must live on without its traces
            work.broke(defect);
            FatalErrors.handIfClassIsGone(defect);
            verdict = Verdict.ABORT;
        }
        if (Invariants.EXPENSIVE) {
            Invariants.check(undo.position() >= begin, "a transaction undoes no changes but its own");
        }
        if (verdict == Verdict.COMMIT && undo.position() != begin) {
            FulmarException refusal = log.refusal();
            if (refusal != null) {
                work.undoneAfterwards(refusal);
                work.refused = true;
                verdict = Verdict.ABORT;
            }
        }
        if (verdict != Verdict.COMMIT) {
            undo.undoTo(begin);
            if (verdict == Verdict.AWAIT && !awaited.admits(work)) {
                verdict = Verdict.ABORT;
            }
        }
        return verdict;
    }

    private void settle(SinglePartitionWork work, Verdict verdict, long end, long timestamp, long logPosition) {
        if (verdict == Verdict.COMMIT) {
            undo.commitTo(end, timestamp);
            partition.counters().committed.increment();
        }
        work.settled(partition, verdict, timestamp);
        running = null;
        if (work.refused) {
            gate.letOut(work);
        } else {
            gate.hold(partition, logPosition, work);
        }
    }

    private void settleSpeculated(SinglePartitionWork work) {
        running = work;
        Verdict verdict = work.speculativeVerdict;
        if (verdict == Verdict.COMMIT) {
            long timestamp = partition.timestamps().next();
            gate.changed(timestamp);
            settle(work, verdict, work.speculativeEnd, timestamp, log.confirmed(partition, work, timestamp));
        } else {
            settle(work, verdict, work.speculativeEnd, 0, log.position(partition));
        }
    }

    private void speculate(SinglePartitionWork work) {
        if (guard.admits(partition, work)) {
            long begin = undo.position();
            work.speculativeVerdict = runAndUndoFailure(work, begin);
            work.speculativeEnd = undo.position();
            if (work.speculativeVerdict == Verdict.COMMIT) {
                log.speculated(partition, work, begin);
            }
            running = null;
            if (work.speculativeVerdict == Verdict.AWAIT) {
                awaited.park(work);
            } else {
                speculation.add(work);
                partition.counters().speculated.increment();
            }
        }
    }

    /**
     * Another node goes on with the partition: what is under way is undone, readers are sent away, and what waits meets
     * the guard. On the partition's thread.
     *
     * @return whether a part that was undone is in the log without a decision
     */
    public boolean depose() {
        LockHolder holder = lock.holder();
        boolean isInLog = holder != null && holder.voted && holder.recorded;
        if (holder != null) {
            deferred.takeBack(speculation);
            holder.undoAll(partition);
            if (holder.owesVote()) { // else its coordinator decides by the votes that it has
                holder.coordinator.deliver(new Wounded(partition.id(), holder.attempt));
            }
        }
        awaited.resumeAll();
        lock.turnAway(partition.id());
        readers.sendAway();
        return isInLog;
    }

    private void fragments(FragmentBatch batch) {
        if (!guard.leads(partition)) {
            batch.turnedAway(partition.id());
            return;
        }
        LockHolder holder = lock.holder();
        if (holder != null && holder.is(batch.transaction(), batch.attempt())) {
            awaited.run(holder, batch.work());
        } else if (!lock.wasWounded(batch.transaction(), batch.attempt())) {
            lock.enqueue(new PartitionLock.Waiter(
                    batch, deferred.nextArrival(), partition.clock().monotonicNanos()));
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
        awaited.run(holder, batch.work());
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
                prepare.coordinator().deliver(new Vote(partition.id(), prepare.attempt(), false, 0, false));
            }
            return;
        }
        if (prepare.mode() == PrepareMode.RELEASE) {
            release(holder, prepare.read());
            return;
        }
        if (prepare.mode() == PrepareMode.UNDO) {
            readTo(prepare.read()); // the reason tells of what was read too
            abort(holder);
            tellOnceStable(holder);
            return;
        }
        Invariants.check(!holder.voted, "a participant prepares a transaction once");
        holder.end = undo.position();
        boolean changed = holder.end != holder.begin;
        if (prepare.mode() == PrepareMode.COMMIT) {
            holder.voted = true;
            commitAlone(holder, prepare, changed);
            return;
        }
        holder.base = prepare.base();
        holder.speculates = prepare.mode() == PrepareMode.SPECULATE;
        holder.tellsReadersNothing = prepare.mode() == PrepareMode.WAIT;
        boolean onlyRead = !changed && holder.readsForAnother(partition.id());
        FulmarException refusal = onlyRead ? log.refusal() : null;
        if (refusal != null) {
            abort(holder);
            holder.coordinator.deliver(
                    new Refused(partition.id(), holder.attempt, refusal.code(), String.valueOf(refusal.getMessage())));
            return;
        }
        holder.voted = true;
        holder.recorded = onlyRead || (changed && (log.keepsRecords() || prepare.base() != null));
        holder.votePosition = changed || onlyRead
                ? log.prepared(
                        partition,
                        holder.transaction,
                        holder.attempt,
                        holder.begin,
                        partition.timestamps().next(),
                        prepare.base())
                : log.position(partition);
        readers.cast(holder);
    }

    private void commitAlone(LockHolder holder, Prepare prepare, boolean changed) {
        long timestamp = partition.timestamps().next();
        long logPosition = changed
                ? log.committedAlone(partition, prepare.outcome(), holder.begin, timestamp)
                : log.position(partition);
        commit(holder, timestamp);
        Vote vote = new Vote(partition.id(), prepare.attempt(), true, timestamp, false);
        gate.holdVote(
                partition,
                logPosition,
                new GatedCoordinatorMessage(holder.coordinator, vote, cause -> outcomeUnknown(holder.attempt, cause)));
    }

    private CoordinatorMessage outcomeUnknown(int attempt, FulmarException cause) {
        return new Lost(partition.id(), attempt, ErrorCode.OUTCOME_UNKNOWN, String.valueOf(cause.getMessage()));
    }

    /**
     * The vote waits for what the transaction may have read, and for what the next primary has to know; the lock does
     * not.
     */
    private void release(LockHolder holder, long read) {
        Invariants.check(!holder.hasChanged(partition), "a transaction that changed something waits for its decision");
        readTo(read);
        lock.release();
        partition.counters().distributedCommitted.increment();
        tellOnceStable(holder);
    }

    /** Makes later commits of the partition exceed the timestamp, whichever node leads it once the vote has left. */
    private void readTo(long timestamp) {
        partition.timestamps().observe(timestamp);
        readers.promise(timestamp);
    }

    /** Votes for what nothing has to be kept of, as soon as what the transaction may have read may be known. */
    private void tellOnceStable(LockHolder holder) {
        Vote vote = new Vote(
                partition.id(), holder.attempt, true, partition.timestamps().last(), false);
        Vote against = new Vote(partition.id(), holder.attempt, false, 0, false);
        gate.holdVote(
                partition,
                log.position(partition),
                new GatedCoordinatorMessage(holder.coordinator, vote, cause -> against));
    }

    private void decide(Decision decision) {
        TransactionId transaction = decision.transaction();
        LockHolder holder = lock.holder();
        if (holder == null || !holder.is(transaction, decision.attempt())) {
            lock.forget(transaction, decision.attempt());
            if (guard.leads(partition)) { // else the part may be in the log here, and in doubt when a term begins
                acknowledge(decision, log.position(partition));
            }
            return;
        }
        if (holder.voted && holder.recorded) {
            long position = log.decided(
                    partition,
                    holder.transaction,
                    holder.attempt,
                    decision.commit(),
                    decision.commitTimestamp(),
                    decision.outcome(),
                    List.of());
            acknowledge(decision, position);
        }
        if (decision.commit()) {
            commitPrepared(holder, decision.commitTimestamp());
        } else {
            abort(holder);
            readers.decided();
        }
    }

    private void acknowledge(Decision decision, long logPosition) {
        CoordinatorPort teller = decision.acknowledge();
        if (teller != null) {
            Decided decided = new Decided(partition.id(), decision.attempt());
            gate.holdVote(partition, logPosition, replies -> teller.deliver(decided));
        }
    }

    private void decideAsBase(BaseDecision decision) {
        if (!guard.leads(partition, decision.epoch())) {
            decision.turnedAway(partition.id());
            return;
        }
        long position = log.decided(
                partition,
                decision.transaction(),
                decision.attempt(),
                true,
                decision.commitTimestamp(),
                decision.outcome(),
                decision.participants());
        Decided decided = new Decided(partition.id(), decision.attempt());
        // What it tells of has waited for readers with the votes. Here only readers that the transaction does not
        // concern can hold something, and they may wait for this decision at a participant.
        gate.confirm(
                position,
                new GatedCoordinatorMessage(
                        decision.coordinator(), decided, cause -> outcomeUnknown(decision.attempt(), cause)));
        LockHolder holder = lock.holder();
        if (holder != null && holder.is(decision.transaction(), decision.attempt())) {
            commitPrepared(holder, decision.commitTimestamp());
        }
    }

    private void abandon(Abandon abandon) {
        LockHolder holder = lock.holder();
        if (holder == null || !holder.is(abandon.transaction(), abandon.attempt())) {
            lock.forget(abandon.transaction(), abandon.attempt());
        } else if (holder.voted) {
            holder.coordinator.deliver(new InDoubt(partition.id(), holder.attempt, holder.base));
        } else {
            abort(holder);
        }
    }

    private void commitPrepared(LockHolder holder, long timestamp) {
        Invariants.check(
                timestamp >= holder.proposal, "a transaction commits no earlier than its participant proposed");
        commit(holder, timestamp);
        while (!speculation.isEmpty()) {
            settleSpeculated(speculation.removeFirst());
        }
        readers.decided();
    }

    private void commit(LockHolder holder, long timestamp) {
        partition.timestamps().observe(timestamp);
        gate.changed(timestamp);
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
