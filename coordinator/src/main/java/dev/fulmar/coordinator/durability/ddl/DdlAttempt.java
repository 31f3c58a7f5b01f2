package dev.fulmar.coordinator.durability.ddl;

import dev.fulmar.coordinator.durability.ddl.ChangeFormat.Attempt;
import dev.fulmar.coordinator.durability.ddl.ChangeFormat.Message;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A catalog change that this node makes, as the coordinator of its two-phase commit. For the catalog's thread.
 *
 * <table>
 *   <caption>States</caption>
 *   <tr><th>state<th>what happens<th>next
 *   <tr><td>ANNOUNCED<td>the other nodes plan the change<td>LOCKING, once all have planned it; FAILED; ENDED
 *   <tr><td>LOCKING<td>its transaction locks the partitions of this node<td>PREPARING; FAILED; ENDED
 *   <tr><td>PREPARING<td>the other nodes lock theirs, and make the change there<td>ENDED, written down; FAILED
 *   <tr><td>FAILED<td>the change queue hears the reason, and withdraws it<td>ENDED
 *   <tr><td>ENDED<td>nothing more<td>
 * </table>
 */
final class DdlAttempt {
    /** Services of the coordinator of changes for an attempt. */
    interface Surroundings {
        boolean send(NodeId to, Message message);

        long nowNanos();

        /** Whether a partition has no primary that could have tried the change, beside those that did. */
        boolean isOneMissing(Set<PartitionId> tried);

        /** The attempt is this node's no more. */
        void ended();
    }

    private enum State {
        ANNOUNCED,
        LOCKING,
        PREPARING,
        FAILED,
        ENDED;

        boolean mayBecome(State next) {
            return switch (this) {
                case ANNOUNCED -> next == LOCKING || next == FAILED || next == ENDED;
                case LOCKING -> next == PREPARING || next == FAILED || next == ENDED;
                case PREPARING -> next == FAILED || next == ENDED;
                case FAILED -> next == ENDED;
                case ENDED -> false;
            };
        }
    }

    private final Surroundings surroundings;
    private final Attempt attempt;
    private final Set<NodeId> targets;
    private final Consumer<@Nullable FulmarException> announced;
    private final Set<NodeId> awaited;
    private final Set<PartitionId> tried = new TreeSet<>();
    private State state = State.ANNOUNCED;
    private @Nullable LongConsumer write;
    private @Nullable Consumer<FulmarException> lost;
    private @Nullable FulmarException failure;

    /** Ends the transaction that locks the partitions here; null before it begins. */
    private @Nullable Consumer<FulmarException> running;

    private long lockedNanos;

    /** The highest timestamp that partitions have promised to commit at, or later. */
    private long promised;

    /**
     * @param targets the other nodes that lead partitions
     * @param announced hears once that all nodes have planned the change, or why it failed before
     */
    DdlAttempt(
            Surroundings surroundings,
            Attempt attempt,
            Set<NodeId> targets,
            Consumer<@Nullable FulmarException> announced) {
        this.surroundings = surroundings;
        this.attempt = attempt;
        this.targets = targets;
        this.announced = announced;
        this.awaited = new TreeSet<>(targets);
    }

    private void become(State next) {
        Invariants.check(state.mayBecome(next), "a change of the catalog goes from state to state as its table says");
        state = next;
    }

    Attempt attempt() {
        return attempt;
    }

    /** Why it failed; null if it did not. */
    @Nullable FulmarException failure() {
        return failure;
    }

    boolean isTarget(NodeId node) {
        return targets.contains(node);
    }

    /** Tells the other nodes of the change. */
    void announce(byte[] kept) {
        for (NodeId node : targets) {
            if (!surroundings.send(node, new Message.Announce(attempt, kept))) {
                fail(DdlCoordinator.unreachable(node + ", which leads partitions, is not reached"));
                return;
            }
        }
        goOn();
    }

    /** Its transaction begins to lock partitions here. */
    void begun(Consumer<FulmarException> end) {
        Invariants.check(running == null, "a coordinator locks partitions for a change of the catalog once");
        running = end;
        lockedNanos = surroundings.nowNanos();
        FulmarException reason = failure;
        if (reason != null) {
            end.accept(reason);
        }
    }

    /** Whether partitions have been locked for it for so long, and it is not decided. */
    boolean isLockedFor(long nanos) {
        return running != null && surroundings.nowNanos() - lockedNanos >= nanos;
    }

    /** The partitions of this node are ready: lets the other nodes prepare theirs. */
    void prepare(
            Collection<PartitionId> triedHere,
            long promisedHere,
            LongConsumer newWrite,
            Consumer<FulmarException> newLost) {
        become(State.PREPARING);
        promised = promisedHere;
        write = newWrite;
        lost = newLost;
        if (running == null) {
            begun(reason -> {}); // no partition here has a part in it, but others' have
        }
        tried.addAll(triedHere);
        awaited.addAll(targets);
        targets.forEach(node -> {
            if (!surroundings.send(node, new Message.Prepare(attempt))) {
                fail(DdlCoordinator.unreachable(node + ", which leads partitions, is not reached"));
            }
        });
        goOn();
    }

    /** Another node has planned the change. */
    void planned(NodeId node) {
        awaited.remove(node);
        goOn();
    }

    /** The partitions of another node are ready. */
    void ready(NodeId node, Collection<PartitionId> triedThere, long promisedThere) {
        tried.addAll(triedThere);
        promised = Math.max(promised, promisedThere);
        awaited.remove(node);
        goOn();
    }

    private void goOn() {
        if (!awaited.isEmpty()) {
            return;
        }
        if (state == State.ANNOUNCED) {
            become(State.LOCKING);
            announced.accept(null);
        } else if (state == State.PREPARING && surroundings.isOneMissing(tried)) {
            fail(DdlCoordinator.unreachable("a partition is led by nobody at the moment"));
        } else if (state == State.PREPARING && write != null) {
            become(State.ENDED);
            surroundings.ended();
            write.accept(promised);
        }
    }

    /** Gives it up at all nodes, and says why. */
    void fail(FulmarException reason) {
        State before = state;
        if (before == State.FAILED || before == State.ENDED) {
            return;
        }
        become(State.FAILED);
        failure = reason;
        sendAborts();
        if (before == State.ANNOUNCED) {
            announced.accept(reason);
        } else if (before == State.PREPARING && lost != null) {
            surroundings.ended();
            lost.accept(reason);
        } else if (running != null) {
            running.accept(reason); // one of its locks, or votes, may not come
        }
    }

    /** The change is not made after all. */
    void withdraw() {
        if (state != State.FAILED) {
            sendAborts();
        }
        become(State.ENDED);
    }

    private void sendAborts() {
        targets.forEach(node -> surroundings.send(node, new Message.Abort(attempt, attempt.epoch())));
    }
}
