package dev.fulmar.engine.partition;

import dev.fulmar.foundation.check.Invariants;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Holds back messages of a partition while a strict reader is registered here whose timestamp is not known everywhere
 * yet. A message that tells of a commit above the reader's registration waits for it; one that leaves later than a
 * registration of another reader waits for that one as well, and never for a reader that came after it, so an unbroken
 * stream of readers holds nothing for ever.
 */
final class StrictReadGate implements CommitGate {
    /** One strict reader. */
    static final class Hold {
        /** Commits above this timestamp must not be heard of. */
        private final long answer;

        private final long number;
        private boolean over;

        private Hold(long answer, long number) {
            this.answer = answer;
            this.number = number;
        }
    }

    /** @param until number of the newest reader that it waits for; it waits for all earlier ones too */
    private record Held(long until, boolean isVote, long logPosition, GatedReply gatedReply) {}

    private final Partition partition;
    private final CommitGate gate;

    /**
     * Readers not over yet, and perhaps some that are, in the order of their registration, which is also that of their
     * answers.
     */
    private final ArrayDeque<Hold> holds = new ArrayDeque<>();

    private final ArrayDeque<Held> held = new ArrayDeque<>();

    private long lastNumber;

    /** Timestamp of the newest commit or proposal that has changed something here. */
    private long newestChange;

    StrictReadGate(Partition partition, CommitGate gate) {
        this.partition = partition;
        this.gate = gate;
    }

    /** Notes that data was changed here with the timestamp, or will be at that or a later one. */
    void changed(long timestamp) {
        newestChange = Math.max(newestChange, timestamp);
    }

    long newestChange() {
        return newestChange;
    }

    /** Whether a commit with the timestamp must not be told yet to others than the reader. */
    boolean isHeld(long timestamp, @Nullable Hold own) {
        return !holds.isEmpty() && newestBelow(timestamp, own) != 0;
    }

    /** From now on nothing leaves that tells of commits above the answer. */
    Hold begin(long answer) {
        Invariants.check(
                holds.isEmpty() || holds.getLast().answer <= answer,
                "strict readers register in the order of their answers");
        Hold hold = new Hold(answer, ++lastNumber);
        holds.addLast(hold);
        return hold;
    }

    /** The reader's timestamp is known and passed everywhere, or the reader is gone. */
    void end(Hold hold) {
        hold.over = true;
        while (!holds.isEmpty() && holds.getFirst().over) {
            holds.removeFirst();
        }
        letGo();
    }

    /** No reader counts any more: the partition stops. */
    void endAll() {
        while (!holds.isEmpty()) {
            end(holds.getFirst());
        }
    }

    private void letGo() {
        long firstLive = holds.isEmpty() ? Long.MAX_VALUE : holds.getFirst().number;
        while (!held.isEmpty() && held.getFirst().until < firstLive) {
            Held next = held.removeFirst();
            pass(next.isVote, next.logPosition, next.gatedReply);
        }
    }

    @Override
    public void hold(Partition from, long logPosition, GatedReply gatedReply) {
        send(false, logPosition, gatedReply, newestChange, null);
    }

    @Override
    public void holdVote(Partition from, long logPosition, GatedReply gatedReply) {
        send(true, logPosition, gatedReply, newestChange, null);
    }

    /**
     * Lets out what a reader has read at its timestamp: it tells of nothing above, and does not wait for the reader
     * itself.
     */
    void holdSnapshot(long logPosition, GatedReply gatedReply, long timestamp, @Nullable Hold own) {
        send(false, logPosition, gatedReply, Math.min(newestChange, timestamp), own);
    }

    private void send(boolean isVote, long logPosition, GatedReply gatedReply, long tellsOf, @Nullable Hold own) {
        if (holds.isEmpty()) {
            pass(isVote, logPosition, gatedReply);
            return;
        }
        long until = newestBelow(tellsOf, own);
        if (until == 0) {
            pass(isVote, logPosition, gatedReply);
        } else {
            partition.counters().repliesHeld.increment();
            held.addLast(new Held(until, isVote, logPosition, gatedReply));
        }
    }

    /** Number of the newest reader that must not hear of the timestamp; 0 if there is none. */
    private long newestBelow(long timestamp, @Nullable Hold own) {
        long newest = 0;
        for (Hold hold : holds) {
            if (!hold.over && hold.answer < timestamp && !hold.equals(own)) {
                newest = hold.number;
            }
        }
        return newest;
    }

    /** Lets out what tells of nothing, as soon as the log is safe up to the position. */
    void confirm(long logPosition, GatedReply gatedReply) {
        pass(true, logPosition, gatedReply);
    }

    private void pass(boolean isVote, long logPosition, GatedReply gatedReply) {
        if (isVote) {
            gate.holdVote(partition, logPosition, gatedReply);
        } else {
            gate.hold(partition, logPosition, gatedReply);
        }
    }

    @Override
    public void letOut(GatedReply gatedReply) {
        gate.letOut(gatedReply);
    }

    @Override
    public int release(Partition from) {
        return gate.release(partition);
    }
}
