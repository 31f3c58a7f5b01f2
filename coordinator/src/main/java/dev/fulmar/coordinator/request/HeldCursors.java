package dev.fulmar.coordinator.request;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.wire.session.CursorCommand;
import dev.fulmar.wire.session.CursorStep;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The cursors of a connection whose transactions have committed: those that were declared WITH HOLD. Their rows stay in
 * the memory of open transactions until they are closed, or until the connection ends. Thread-safe.
 */
public final class HeldCursors {
    private record Held(ScrolledRows rows, ByteBudget memory, long bytes) {
        void end() {
            memory.giveBack(bytes);
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Held> open = new TreeMap<>();
    private boolean isOver;

    /**
     * Keeps the cursor.
     *
     * @param bytes that were taken of the memory for it
     */
    public void keep(String name, ScrolledRows rows, ByteBudget memory, long bytes) {
        Held held = new Held(rows, memory, bytes);
        lock.lock();
        try {
            if (isOver) {
                held.end();
            } else {
                Held before = open.put(name, held);
                Invariants.check(before == null, "a transaction declares no cursor of a name that is taken");
            }
        } finally {
            lock.unlock();
        }
    }

    /** Cursors that there are. */
    public int count() {
        lock.lock();
        try {
            return open.size();
        } finally {
            lock.unlock();
        }
    }

    /** Whether there is such a cursor. */
    public boolean has(String name) {
        lock.lock();
        try {
            return open.containsKey(name);
        } finally {
            lock.unlock();
        }
    }

    /** Whether the command is about one that is held, or about all. */
    public boolean isFor(CursorCommand command) {
        return switch (command) {
            case CursorCommand.Declare _ -> false;
            case CursorCommand.Fetch(String name, CursorStep _) -> has(name);
            case CursorCommand.Move(String name, CursorStep _) -> has(name);
            case CursorCommand.Close(String name) -> has(name);
            case CursorCommand.CloseAll _ -> true;
        };
    }

    /** Executes such a command. */
    public Committed execute(CursorCommand command, TransactionRequest request, ResponseSink sink) {
        lock.lock();
        try {
            return switch (command) {
                case CursorCommand.Fetch(String name, CursorStep step) ->
                    fetch(find(name).rows(), step, request, sink);
                case CursorCommand.Move(String name, CursorStep step) ->
                    new Committed(Kind.VALUE, find(name).rows().move(step), new byte[0]);
                case CursorCommand.Close(String name) -> {
                    find(name).end();
                    open.remove(name);
                    yield Committed.DONE;
                }
                case CursorCommand.CloseAll _ -> {
                    closeAll();
                    yield Committed.DONE;
                }
                case CursorCommand.Declare declare -> throw declare.outside();
            };
        } finally {
            lock.unlock();
        }
    }

    private Held find(String name) {
        Held known = open.get(name);
        if (known == null) {
            throw new FulmarException(ErrorCode.UNKNOWN_CURSOR, "there is no cursor " + name);
        }
        return known;
    }

    /** The rows of a FETCH, for which the sink has memory. */
    public static Committed fetch(ScrolledRows rows, CursorStep step, TransactionRequest request, ResponseSink sink) {
        byte[] block = rows.fetch(step);
        if (block.length > ResponseSink.FREE_BYTES && !sink.reserve(request, block.length)) {
            rows.takeBack();
            throw new FulmarException(
                    ErrorCode.SERVER_BUSY,
                    "there is no memory for " + block.length
                            + " bytes of rows now; fetch fewer at a time, or raise requests.memory-limit");
        }
        return new Committed(Kind.TABLE, 0, block);
    }

    /** Closes all. */
    public void closeAll() {
        lock.lock();
        try {
            open.values().forEach(Held::end);
            open.clear();
        } finally {
            lock.unlock();
        }
    }

    /** The connection ends; what comes is not kept. */
    public void leave() {
        lock.lock();
        try {
            isOver = true;
            closeAll();
        } finally {
            lock.unlock();
        }
    }
}
