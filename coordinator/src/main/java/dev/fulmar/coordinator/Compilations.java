package dev.fulmar.coordinator;

import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.transaction.IncomingRequest;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The compilations under way, with the requests that wait for them: one per statement. Thread-safe. */
final class Compilations {
    private static final int CAPACITY = 256;

    /** The end mark of a compilation: no request can wait for it any more. */
    private static final Waiter ENDED = new Waiter(null, null);

    private final ConcurrentHashMap<String, Compilation> underWay = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();

    /** A request that waits, and the one that came before it. Not a record: it equals nothing but itself. */
    private static final class Waiter {
        private final @Nullable IncomingRequest incoming;
        private final @Nullable Waiter before;

        private Waiter(@Nullable IncomingRequest incoming, @Nullable Waiter before) {
            this.incoming = incoming;
            this.before = before;
        }
    }

    /** One statement that one request compiles for all that come meanwhile. */
    static final class Compilation {
        private final String text;
        private final Program program;
        private final long deadlineNanos;
        private final AtomicReference<@Nullable Waiter> last = new AtomicReference<>();

        private Compilation(String text, Program program, long deadlineNanos) {
            this.text = text;
            this.program = program;
            this.deadlineNanos = deadlineNanos;
        }

        /** Whether it is a compilation of this text for this program. */
        boolean isOf(String other, Program otherProgram) {
            return program == otherProgram && text.equals(other);
        }

        /** Adds a request that waits; false if the compilation has ended. */
        private boolean add(IncomingRequest incoming) {
            while (true) {
                Waiter before = last.get();
                if (before == ENDED) {
                    return false;
                }
                if (last.compareAndSet(before, new Waiter(incoming, before))) {
                    return true;
                }
            }
        }

        /** Ends it; returns the requests that waited, in the order in which they came. */
        private Deque<IncomingRequest> end() {
            Deque<IncomingRequest> waiting = new ArrayDeque<>();
            for (Waiter waiter = last.getAndSet(ENDED); waiter != null; waiter = waiter.before) {
                if (waiter.incoming != null) {
                    waiting.addFirst(waiter.incoming);
                }
            }
            return waiting;
        }
    }

    /**
     * Begins a compilation for the arrival, which has to {@link #end} it; null if one of this text is under way
     * already. The end of that one gives the arrival back. An arrival that has less time than that one compiles for
     * itself.
     *
     * @param deadlineNanos when the arrival's time is over
     * @throws FulmarException if too much is compiled at once
     */
    @Nullable Compilation join(String text, Program program, IncomingRequest incoming, long deadlineNanos) {
        while (true) {
            Compilation other = underWay.get(text);
            if (other != null && deadlineNanos - other.deadlineNanos < 0) {
                return alone(text, program, deadlineNanos);
            }
            if (other != null && other.add(incoming)) {
                return null;
            }
            Compilation mine = begin(text, program, deadlineNanos);
            Compilation found = other == null ? underWay.putIfAbsent(text, mine) : replaced(text, other, mine);
            if (found == null) {
                return mine;
            }
            count.decrementAndGet();
        }
    }

    /** Puts a new compilation in the place of one that has ended; null if that succeeded. */
    private @Nullable Compilation replaced(String text, Compilation ended, Compilation mine) {
        return underWay.replace(text, ended, mine) ? null : ended;
    }

    /** A compilation that no other arrival waits for. */
    Compilation alone(String text, Program program, long deadlineNanos) {
        return begin(text, program, deadlineNanos);
    }

    private Compilation begin(String text, Program program, long deadlineNanos) {
        if (count.incrementAndGet() > CAPACITY) {
            count.decrementAndGet();
            throw new FulmarException(
                    ErrorCode.SERVER_BUSY,
                    "more than " + CAPACITY
                            + " statements are being compiled; send fewer at once, and use ? for values that change");
        }
        return new Compilation(text, program, deadlineNanos);
    }

    /** The requests that have waited for it. It counts until it is {@link #leave left}. */
    Deque<IncomingRequest> end(Compilation compilation) {
        underWay.remove(compilation.text, compilation);
        return compilation.end();
    }

    /** Takes an ended compilation out of the count; the requests that waited for it count elsewhere now. */
    void leave() {
        int left = count.decrementAndGet();
        Invariants.check(left >= 0, "a request leaves the compilation that it began once");
    }

    /** Requests that wait count with what they wait for. */
    int count() {
        return count.get();
    }
}
