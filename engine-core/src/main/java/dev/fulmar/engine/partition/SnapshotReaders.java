package dev.fulmar.engine.partition;

import dev.fulmar.engine.partition.CommitGate.GatedReply;
import dev.fulmar.engine.partition.CoordinatorMessage.Vote;
import dev.fulmar.engine.partition.CoordinatorMessage.VoteRecalled;
import dev.fulmar.engine.partition.StrictReadGate.Hold;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.TransactionId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The readers of snapshots at one partition: they register, learn how far its commits have come, and wait for what is
 * prepared. None takes the lock. For the partition's thread.
 *
 * <p>A strict reader also holds back what tells of later commits, until its timestamp is known and every partition that
 * it touches has passed it: otherwise somebody could hear of a commit above the timestamp, and then make one at or
 * below it elsewhere. A transaction that is prepared here when a strict reader comes may be decided, and heard of, at
 * any moment; so its coordinator is asked to give the vote back. Either it does, and the vote is cast anew behind the
 * reader, or the decision is on its way, and the reader registers behind it. A registration waits for nothing else,
 * since the reader may hold votes elsewhere: it does not wait for a change of the catalog, whose decision takes votes
 * of other nodes.
 */
public final class SnapshotReaders {
    private record Registration(SnapshotReader guest, long atLeast) {}

    private final Partition partition;
    private final PartitionLock lock;
    private @Nullable StrictReadGate gate;
    private @Nullable CommandLog log;
    private LeadershipGuard guard = LeadershipGuard.alwaysLeads();

    private final ArrayDeque<Registration> waiting = new ArrayDeque<>();

    /** Everybody who has come and not left, in the order of their coming. */
    private final ArrayDeque<SnapshotReader> present = new ArrayDeque<>();

    private final Map<SnapshotReader, Hold> holds = new IdentityHashMap<>();
    private final ArrayDeque<SnapshotReader> undecided = new ArrayDeque<>();
    private final Map<SnapshotReader, Runnable> onceDecided = new IdentityHashMap<>();

    SnapshotReaders(Partition partition, PartitionLock lock) {
        this.partition = partition;
        this.lock = lock;
    }

    /** Puts itself between the partition and its gate. */
    StrictReadGate bind(CommitGate newGate, CommandLog newLog, LeadershipGuard newGuard) {
        guard = newGuard;
        StrictReadGate bound = new StrictReadGate(partition, newGate);
        gate = bound;
        log = newLog;
        return bound;
    }

    private StrictReadGate gate() {
        StrictReadGate bound = gate;
        if (bound == null) {
            throw Invariants.breach("readers come to a partition that runs");
        }
        return bound;
    }

    /**
     * Registers a reader, at once or as soon as it is known what becomes of a prepared transaction.
     *
     * @param strict whether nothing may be heard of later commits until {@link #release}
     * @param atLeast later commits are above this timestamp
     */
    public void register(SnapshotReader guest, boolean strict, long atLeast) {
        if (!guard.leads(partition)) { // it came when another node had taken over
            guest.sentAway(partition);
            return;
        }
        present.addLast(guest);
        LockHolder holder = lock.holder();
        if (!strict) {
            guest.admitted(partition, answer(atLeast));
        } else if (holder == null || !holder.voted || holder.tellsReadersNothing) {
            // Such a holder's decision may wait for a transaction at another node whose vote the reader holds there.
            // The reading here waits for it, and by then the reader holds nothing.
            admit(new Registration(guest, atLeast));
        } else if (!holder.voteLeft) {
            castAnew(holder, guest, atLeast);
        } else {
            waiting.addLast(new Registration(guest, atLeast));
            if (!holder.recalled) {
                holder.recalled = true;
                partition.counters().votesRecalled.increment();
                holder.coordinator.deliver(new VoteRecalled(partition.id(), holder.attempt));
            }
        }
    }

    private long answer(long atLeast) {
        partition.timestamps().observe(atLeast);
        return partition.timestamps().last();
    }

    private void admit(Registration registration) {
        long answer = answer(registration.atLeast);
        Hold earlier = holds.put(registration.guest, gate().begin(answer));
        Invariants.check(earlier == null, "a strict reader registers at a partition once");
        registration.guest.admitted(partition, answer);
    }

    /** The vote has not left yet: it is held behind the reader. */
    private void castAnew(LockHolder holder, SnapshotReader guest, long atLeast) {
        holder.proposal = Long.MAX_VALUE; // it is to be above all that the reader sees
        admit(new Registration(guest, atLeast));
        cast(holder);
    }

    /** The coordinator has given the vote back: it has not decided and will not, until the vote comes again. */
    public void voteGivenBack(TransactionId transaction, int attempt) {
        LockHolder holder = lock.holder();
        if (holder == null || !holder.is(transaction, attempt) || !holder.recalled) {
            return;
        }
        holder.recalled = false;
        holder.proposal = Long.MAX_VALUE;
        admitWaiting();
        cast(holder);
    }

    /**
     * Sends the vote, once everything that it tells of may be known. An earlier one that has not left yet never does.
     */
    void cast(LockHolder holder) {
        Invariants.check(waiting.isEmpty(), "a reader waits only for a vote that has left the partition");
        long proposal = partition.timestamps().next();
        holder.proposal = proposal;
        holder.voteLeft = false;
        int number = ++holder.votes;
        Vote vote = new Vote(partition.id(), holder.attempt, true, proposal, holder.recorded);
        gate().changed(proposal);
        GatedReply gatedReply = new GatedReply() {
            @Override
            public void leave(ReplyBatch replies) {
                if (holder.votes == number) {
                    holder.voteLeft = true;
                    holder.coordinator.deliver(vote);
                }
            }

            @Override
            public void lost(FulmarException cause, ReplyBatch replies) {
                if (holder.votes == number) {
                    holder.coordinator.deliver(new Vote(partition.id(), holder.attempt, false, 0, false));
                }
            }
        };
        if (holder.tellsReadersNothing) {
            gate().confirm(holder.votePosition, gatedReply);
        } else {
            gate().holdVote(partition, holder.votePosition, gatedReply);
        }
    }

    /** Notes that no transaction is prepared here any more. */
    void decided() {
        Invariants.check(lock.holder() == null, "a decided transaction has released the lock before readers go on");
        admitWaiting();
        List<SnapshotReader> going = new ArrayList<>(undecided);
        undecided.clear();
        for (SnapshotReader guest : going) {
            Runnable next = onceDecided.remove(guest);
            if (next != null) {
                next.run();
            }
        }
    }

    private void admitWaiting() {
        while (!waiting.isEmpty()) {
            admit(waiting.removeFirst());
        }
    }

    /**
     * Runs the task once all commits at or below the timestamp are decided, which the partition's clock has passed.
     *
     * @return whether it ran at once
     */
    public boolean whenDecided(SnapshotReader guest, long timestamp, Runnable task) {
        if (isDecided(timestamp)) {
            task.run();
            return true;
        }
        Invariants.check(
                partition.timestamps().last() >= timestamp,
                "a reader waits for decisions at a timestamp that the partition's clock has passed");
        partition.counters().snapshotsWaited.increment();
        undecided.addLast(guest);
        onceDecided.put(guest, task);
        return false;
    }

    /**
     * Whether the reader may send what it sees here at the timestamp: all of it is decided, and no other strict reader
     * holds it back. The partition's clock has passed the timestamp.
     */
    public boolean isClear(SnapshotReader guest, long timestamp) {
        return isDecided(timestamp) && !gate().isHeld(Math.min(newestChange(), timestamp), holds.get(guest));
    }

    /** No commit at or below the timestamp is undecided. */
    private boolean isDecided(long timestamp) {
        LockHolder holder = lock.holder();
        return holder == null || !holder.voted || holder.proposal > timestamp;
    }

    /** Sends what the reader has read at its timestamp, once all that it tells of may be known. */
    public void answer(SnapshotReader guest, long timestamp, GatedReply gatedReply) {
        promise(timestamp);
        gate().holdSnapshot(position(), gatedReply, timestamp, holds.get(guest));
    }

    /**
     * Promises that all later commits are above the timestamp, which the partition's clock has passed. Messages that
     * leave from now on may tell so.
     */
    public void promise(long timestamp) {
        CommandLog known = log;
        if (known != null) {
            known.promised(partition, timestamp);
        }
    }

    /** Sends the answer of a request that an earlier one had, once what that tells of may be known. */
    public void repeat(GatedReply gatedReply) {
        gate().hold(partition, position(), gatedReply);
    }

    /**
     * Lets out a message that is true only while this node leads the partition, once the log up to now is safe. The log
     * becomes so in no other term. It tells nobody of a commit, so it waits for no reader.
     */
    public void onceConfirmed(GatedReply gatedReply) {
        gate().confirm(position(), gatedReply);
    }

    private long position() {
        CommandLog known = log;
        return known == null ? 0 : known.position(partition);
    }

    /** Whether the newest change here must not be told yet, for a strict reader that does not see it. */
    boolean holdsBack() {
        return gate().isHeld(newestChange(), null);
    }

    /** Timestamp of the newest change here; tells whether anything was changed between two looks. */
    public long newestChange() {
        return gate().newestChange();
    }

    /** Every partition that the reader touches has passed its timestamp: later commits may be heard of. */
    public void release(SnapshotReader guest) {
        Hold hold = holds.remove(guest);
        if (hold != null) {
            gate().end(hold);
        }
    }

    /** The reader is gone. */
    public void leave(SnapshotReader guest) {
        present.remove(guest);
        waiting.removeIf(registration -> registration.guest.equals(guest));
        onceDecided.remove(guest);
        undecided.remove(guest);
        release(guest);
    }

    /**
     * Another node leads the partition: nothing can be read here any more, and what waits behind readers will never
     * leave.
     */
    void sendAway() {
        waiting.clear();
        undecided.clear();
        onceDecided.clear();
        holds.clear();
        List<SnapshotReader> going = List.copyOf(present);
        present.clear();
        going.forEach(guest -> guest.sentAway(partition));
        gate().endAll();
    }

    /** The partition stops. */
    void close() {
        while (!waiting.isEmpty()) {
            waiting.removeFirst().guest.turnedAway(partition);
        }
        while (!undecided.isEmpty()) {
            SnapshotReader guest = undecided.removeFirst();
            onceDecided.remove(guest);
            guest.turnedAway(partition);
        }
        gate().endAll();
    }
}
