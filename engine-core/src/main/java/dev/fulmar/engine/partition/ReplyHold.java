package dev.fulmar.engine.partition;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Holds back what leaves a partition while a strict reader is registered here whose timestamp is not known everywhere yet. What tells of a
 * commit above the reader's registration waits for it; what leaves later than a registration of another reader waits for that one as well,
 * and never for a reader that came after it, so an unbroken stream of readers holds nothing for ever.
 */
final class ReplyHold implements CommitGate {
    /** One strict reader. */
    static final class Hold {
        /** Commits above this timestamp must not be heard of. */
        private long answer;

        private boolean over;

        private Hold(long answer) {
            this.answer = answer;
        }
    }

    /**
     * Something that waits for readers.
     *
     * @param tellsOf commits up to this timestamp
     * @param own the reader that it is for, if that is one of them
     * @param then goes on with it
     */
    private record Held(long tellsOf, @Nullable Hold own, Runnable then) {}

    private final Partition partition;
    private final CommitGate gate;

    /** Readers that are not over yet. */
    private final ArrayDeque<Hold> holds = new ArrayDeque<>();

    /** The reader that holds back most, and the answer of the one that holds back most beside it. */
    private @Nullable Hold first;

    private long second = Long.MAX_VALUE;

    /** In the order in which it came. What tells of less may leave before what came earlier. */
    private final ArrayDeque<Held> held = new ArrayDeque<>();

    /** Timestamp of the newest commit or proposal that has changed something here. */
    private long newestChange;

    ReplyHold(Partition partition, CommitGate gate) {
        this.partition = partition;
        this.gate = gate;
    }

    /** Something was changed here with the timestamp, or will be at that or a later one. */
    void changed(long timestamp) {
        newestChange = Math.max(newestChange, timestamp);
    }

    long newestChange() {
        return newestChange;
    }

    /** Whether nobody may hear yet of a commit with the timestamp, but for the reader. */
    boolean isHeld(long timestamp, @Nullable Hold own) {
        return first != null && (first.equals(own) ? second : first.answer) < timestamp;
    }

    /** From now on nothing leaves that tells of commits above the answer. */
    Hold begin(long answer) {
        Hold hold = new Hold(answer);
        holds.addLast(hold);
        order();
        return hold;
    }

    /** The reader reads at the timestamp: it sees commits up to there, and they may be heard of. */
    void raise(Hold hold, long timestamp) {
        if (hold.answer < timestamp) {
            hold.answer = timestamp;
            order();
            letGo();
        }
    }

    /** The reader's timestamp is known and passed everywhere, or the reader is gone. */
    void end(Hold hold) {
        if (!hold.over) {
            hold.over = true;
            holds.remove(hold);
            order();
            letGo();
        }
    }

    private void order() {
        first = null;
        second = Long.MAX_VALUE;
        for (Hold hold : holds) {
            Hold lowest = first;
            if (lowest == null || hold.answer < lowest.answer) {
                second = lowest == null ? second : lowest.answer;
                first = hold;
            } else {
                second = Math.min(second, hold.answer);
            }
        }
    }

    /** No reader counts any more: the partition stops. */
    void endAll() {
        while (!holds.isEmpty()) {
            end(holds.getFirst());
        }
    }

    private void letGo() {
        for (int waiting = held.size(); waiting > 0 && !held.isEmpty(); waiting--) { // one may let others go
            Held next = held.removeFirst();
            if (isHeld(next.tellsOf, next.own)) {
                held.addLast(next);
            } else {
                next.then.run();
            }
        }
    }

    /** Runs the task once the reader may be told of all commits up to the timestamp. */
    void onceClear(long timestamp, @Nullable Hold own, Runnable task) {
        long tellsOf = Math.min(newestChange, timestamp);
        if (isHeld(tellsOf, own)) {
            held.addLast(new Held(tellsOf, own, task));
        } else {
            task.run();
        }
    }

    @Override
    public void hold(Partition from, long logPosition, Departure departure) {
        send(false, logPosition, departure, newestChange, null);
    }

    @Override
    public void holdVote(Partition from, long logPosition, Departure departure) {
        send(true, logPosition, departure, newestChange, null);
    }

    /** Lets out what a reader has read at its timestamp: it tells of nothing above, and does not wait for the reader itself. */
    void holdSnapshot(long logPosition, Departure departure, long timestamp, @Nullable Hold own) {
        send(false, logPosition, departure, Math.min(newestChange, timestamp), own);
    }

    private void send(boolean isVote, long logPosition, Departure departure, long tellsOf, @Nullable Hold own) {
        if (!isHeld(tellsOf, own)) {
            pass(isVote, logPosition, departure);
        } else {
            partition.counters().repliesHeld.increment();
            held.addLast(new Held(tellsOf, own, () -> pass(isVote, logPosition, departure)));
        }
    }

    /** Lets out what tells of nothing, as soon as the log is safe up to the position. */
    void confirm(long logPosition, Departure departure) {
        pass(true, logPosition, departure);
    }

    private void pass(boolean isVote, long logPosition, Departure departure) {
        if (isVote) {
            gate.holdVote(partition, logPosition, departure);
        } else {
            gate.hold(partition, logPosition, departure);
        }
    }

    @Override
    public void letOut(Departure departure) {
        gate.letOut(departure);
    }

    @Override
    public int release(Partition from) {
        return gate.release(partition);
    }
}
