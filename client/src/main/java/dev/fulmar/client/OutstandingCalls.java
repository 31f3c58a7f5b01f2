package dev.fulmar.client;

import dev.fulmar.wire.limit.HandleWindow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls that a connection has sent and that have no reply, by request id. A hash table with linear probing; one
 * thread.
 */
final class OutstandingCalls {
    private static final int INITIAL_CAPACITY = 256;

    private @Nullable PendingCall[] table = new @Nullable PendingCall[INITIAL_CAPACITY];
    private int mask = INITIAL_CAPACITY - 1;
    private int size;

    /** No call whose caller waits has a smaller request id. */
    private long oldestAwaited = 1;

    int size() {
        return size;
    }

    void add(PendingCall call) {
        if (2 * (size + 1) > table.length) {
            grow();
        }
        place(call);
        size++;
    }

    /** The call, which is outstanding no more; null if there is none with the id. */
    @Nullable PendingCall remove(long requestId) {
        int slot = (int) requestId & mask;
        while (true) {
            PendingCall call = table[slot];
            if (call == null) {
                return null;
            }
            if (call.requestId == requestId) {
                close(slot);
                size--;
                return call;
            }
            slot = (slot + 1) & mask;
        }
    }

    /**
     * Whether the call waits here to be sent again. Not if a new connection has sent it meanwhile, or another one has
     * it: of two copies of a call that are under way one may be refused, and the call be taken to another node under
     * another handle, while the other one is executed.
     */
    boolean isToBeRepeated(PendingCall call) {
        return call.isOffWire && !call.settled && has(call);
    }

    private boolean has(PendingCall wanted) {
        int slot = (int) wanted.requestId & mask;
        for (PendingCall call = table[slot]; call != null; call = table[slot]) {
            if (call.equals(wanted)) {
                return true;
            }
            slot = (slot + 1) & mask;
        }
        return false;
    }

    /**
     * Whether a call with that id, greater than all before, may be sent. A server remembers outcomes by their distance
     * from the newest, and all calls with a waiting caller must be within it.
     */
    boolean isWithinWindow(long requestId) {
        return requestId - oldestAwaited < HandleWindow.REQUESTS
                || requestId - oldestAwaitedBefore(requestId) < HandleWindow.REQUESTS;
    }

    private long oldestAwaitedBefore(long requestId) {
        while (oldestAwaited < requestId && !isAwaited(oldestAwaited)) {
            oldestAwaited++;
        }
        return oldestAwaited;
    }

    private boolean isAwaited(long requestId) {
        int slot = (int) requestId & mask;
        for (PendingCall call = table[slot]; call != null; call = table[slot]) {
            if (call.requestId == requestId) {
                return !call.settled;
            }
            slot = (slot + 1) & mask;
        }
        return false;
    }

    /** Whether no answer can come. */
    boolean isNothingOnWire() {
        for (PendingCall call : table) {
            if (call != null && !call.isOffWire) {
                return false;
            }
        }
        return true;
    }

    /** Visits all calls, in no order; the visitor must not change the table. */
    void forEach(Consumer<PendingCall> visitor) {
        for (PendingCall call : table) {
            if (call != null) {
                visitor.accept(call);
            }
        }
    }

    /** All calls in the order in which they were sent first. */
    List<PendingCall> inOrder() {
        List<PendingCall> calls = new ArrayList<>(size);
        for (PendingCall call : table) {
            if (call != null) {
                calls.add(call);
            }
        }
        calls.sort(Comparator.comparingLong(call -> call.requestId));
        return calls;
    }

    void clear() {
        Arrays.fill(table, null);
        size = 0;
    }

    private void place(PendingCall call) {
        int slot = (int) call.requestId & mask;
        while (table[slot] != null) {
            slot = (slot + 1) & mask;
        }
        table[slot] = call;
    }

    /** Moves later calls of the same run up, so that no probe stops too early at the hole. */
    private void close(int removed) {
        int hole = removed;
        int slot = (hole + 1) & mask;
        for (PendingCall call = table[slot]; call != null; call = table[slot]) {
            int home = (int) call.requestId & mask;
            if (((slot - home) & mask) >= ((slot - hole) & mask)) {
                table[hole] = call;
                hole = slot;
            }
            slot = (slot + 1) & mask;
        }
        table[hole] = null;
    }

    private void grow() {
        @Nullable PendingCall[] old = table;
        table = new @Nullable PendingCall[2 * old.length];
        mask = table.length - 1;
        for (PendingCall call : old) {
            if (call != null) {
                place(call);
            }
        }
    }
}
