package dev.fulmar.coordinator;

import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.transaction.IncomingRequest;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Statements that are being compiled, and the requests for the same ones that wait for that. Thread-safe. */
final class Compilations {
    private static final int CAPACITY = 256;

    /** Of a compilation that nobody can wait for any more. */
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

        /** False if it has ended. */
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

        /** In the order in which they came. */
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
     * A compilation for the arrival, which it has to {@link #end}; null if there is one of this text already, whose end
     * gives the arrival back. Who has less time than that one compiles for himself.
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

    /** Null if the new one has taken the place of the one that has ended. */
    private @Nullable Compilation replaced(String text, Compilation ended, Compilation mine) {
        return underWay.replace(text, ended, mine) ? null : ended;
    }

    /** One that no other arrival waits for. */
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

    /** What has waited is somewhere else now. */
    void leave() {
        count.decrementAndGet();
    }

    /** Requests that wait count with what they wait for. */
    int count() {
        return count.get();
    }
}
