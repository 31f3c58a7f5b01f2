package dev.fulmar.coordinator.remote;

import dev.fulmar.coordinator.transaction.SnapshotConfirmation;
import dev.fulmar.coordinator.transaction.SnapshotReadRequest;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentFailure;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A reader of a snapshot at a partition of another node, seen from the reader. Asked by its fiber, answered by the
 * network, lost by either.
 */
final class RemoteSnapshotRead {
    /** A question; each of its two answers is given once. */
    private static final class Asked {
        private final int number;
        private final SnapshotReadRequest question;
        private final AtomicBoolean passed = new AtomicBoolean();
        private final AtomicBoolean read = new AtomicBoolean();

        Asked(int number, SnapshotReadRequest question) {
            this.number = number;
            this.question = question;
        }

        void passed(long clock, boolean isClear) {
            if (passed.compareAndSet(false, true)) {
                question.passed(clock, isClear);
            }
        }

        void read(List<FragmentResult> results, @Nullable FragmentFailure failure) {
            if (read.compareAndSet(false, true)) {
                question.read(results, failure);
            }
        }

        void fail(FragmentFailure failure) {
            read(List.of(), failure); // first: whoever sees that all have passed sees which could not
            passed(question.timestamp(), true);
        }
    }

    private final NodeId node;
    private volatile @Nullable Asked asked;
    private volatile @Nullable SnapshotConfirmation confirmation;
    private volatile @Nullable FragmentFailure broken;

    RemoteSnapshotRead(NodeId node) {
        this.node = node;
    }

    NodeId node() {
        return node;
    }

    /** Whether nothing more is answered. */
    boolean isLost() {
        return broken != null;
    }

    /** The next question; returns its number. Only the newest is answered. */
    int ask(SnapshotReadRequest question) {
        Asked earlier = asked;
        Asked next = new Asked(earlier == null ? 0 : earlier.number + 1, question);
        asked = next;
        FragmentFailure reason = broken;
        if (reason != null) {
            next.fail(reason);
        }
        return next.number;
    }

    /** The partition shall say that it has held back what it had to. */
    void release(SnapshotConfirmation wanted) {
        Invariants.check(confirmation == null, "a reader releases what a partition holds back once");
        confirmation = wanted;
        if (broken != null) {
            wanted.broken();
        }
    }

    void passed(int question, long clock, boolean isClear) {
        Asked current = asked;
        if (current != null && current.number == question) {
            current.passed(clock, isClear);
        }
    }

    void found(int question, List<FragmentResult> results, @Nullable FragmentFailure failure) {
        Asked current = asked;
        if (current != null && current.number == question) {
            current.read(results, failure);
        }
    }

    void released() {
        SnapshotConfirmation wanted = confirmation;
        if (wanted != null && broken == null) {
            wanted.confirmed();
        }
    }

    /** The node is lost, or cannot be told. */
    void lost(ErrorCode code, String message) {
        FragmentFailure reason = new FragmentFailure(0, code, message);
        broken = reason;
        Asked current = asked;
        if (current != null) {
            current.fail(reason);
        }
        SnapshotConfirmation wanted = confirmation;
        if (wanted != null) {
            wanted.broken();
        }
    }
}
