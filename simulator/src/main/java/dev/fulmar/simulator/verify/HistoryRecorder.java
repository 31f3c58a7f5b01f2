package dev.fulmar.simulator.verify;

import dev.fulmar.foundation.time.Clock;
import dev.fulmar.simulator.verify.Transaction.Outcome;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/** Collects a history while it happens. Thread-safe. The clock must be the same for all clients. */
public final class HistoryRecorder {
    private static final Comparator<Transaction> ORDER =
            Comparator.comparingLong(Transaction::invokedNanos).thenComparingInt(Transaction::process);

    private final Clock clock;
    private final Queue<Transaction> finished = new ConcurrentLinkedQueue<>();
    private final Queue<Pending> pending = new ConcurrentLinkedQueue<>();

    public HistoryRecorder(Clock clock) {
        this.clock = clock;
    }

    /** Notes that the client asks now for a transaction that intends the writes. */
    public Pending invoke(int process, List<Operation> writes) {
        return invoke(process, writes, false);
    }

    /** As the other; an old state may do for the transaction. */
    public Pending invoke(int process, List<Operation> writes, boolean mayShowOld) {
        Pending started = new Pending(process, clock.monotonicNanos(), List.copyOf(writes), mayShowOld);
        pending.add(started);
        return started;
    }

    /** The history so far, by the time of asking. Requests without an answer count as unknown. */
    public List<Transaction> history() {
        pending.forEach(Pending::unknown);
        return finished.stream().sorted(ORDER).toList();
    }

    /**
     * As {@link #history}, for a caller that tries one of several futures: a request without an answer may still be
     * executed.
     */
    public List<Transaction> historySoFar() {
        return Stream.concat(finished.stream(), pending.stream().map(Pending::asUnknown))
                .sorted(ORDER)
                .toList();
    }

    /** A transaction that was asked for. */
    public final class Pending {
        private final int process;
        private final long invokedNanos;
        private final List<Operation> writes;
        private final boolean mayShowOld;
        private volatile boolean isSnapshot;

        private Pending(int process, long invokedNanos, List<Operation> writes, boolean mayShowOld) {
            this.mayShowOld = mayShowOld;
            this.process = process;
            this.invokedNanos = invokedNanos;
            this.writes = writes;
        }

        /** It is of the level that promises snapshot isolation only. */
        public void atSnapshot() {
            isSnapshot = true;
        }

        /** It took effect and did this. */
        public void ok(List<Operation> operations, OptionalLong claimedOrder) {
            finish(clock.monotonicNanos(), Outcome.OK, operations, claimedOrder);
        }

        /** It certainly took no effect. */
        public void failed() {
            finish(clock.monotonicNanos(), Outcome.FAILED, writes, OptionalLong.empty());
        }

        /** The outcome is unknown. */
        public void unknown() {
            finish(Transaction.NEVER, Outcome.UNKNOWN, writes, OptionalLong.empty());
        }

        private Transaction asUnknown() {
            return new Transaction(
                    process,
                    invokedNanos,
                    Transaction.NEVER,
                    Outcome.UNKNOWN,
                    writes,
                    OptionalLong.empty(),
                    mayShowOld,
                    isSnapshot);
        }

        /** Only the first answer counts: a reply that comes after a client gave up tells it nothing any more. */
        private void finish(
                long completedNanos, Outcome outcome, List<Operation> operations, OptionalLong claimedOrder) {
            if (pending.remove(this)) {
                finished.add(new Transaction(
                        process,
                        invokedNanos,
                        completedNanos,
                        outcome,
                        operations,
                        claimedOrder,
                        mayShowOld,
                        isSnapshot));
            }
        }
    }
}
