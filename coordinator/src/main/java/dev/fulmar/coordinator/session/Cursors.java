package dev.fulmar.coordinator.session;

import dev.fulmar.coordinator.request.HeldCursors;
import dev.fulmar.coordinator.request.PassingSink;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.ScrolledRows;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.session.CursorCommand;
import dev.fulmar.wire.session.CursorStep;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The cursors of one transaction. Those of a transaction that only reads are read at its snapshot, part by part. The
 * rows of others are the result of a query of the transaction, and held here. Touched where the session's events are
 * handled.
 */
final class Cursors {
    /** Port to the session, which waits for an answer of its snapshot. */
    interface SnapshotQuestions {
        /** @param question is sent to the sink that it is given */
        void read(TransactionRequest.AdHoc request, ResponseSink sink, Consumer<ResponseSink> question);
    }

    private sealed interface Cursor {
        /** Numbers cursors in the order in which they were declared. */
        int number();

        /** @param bytes that its query takes, here and at partitions */
        record Read(SnapshotReads.Place place, long bytes) implements Cursor {
            @Override
            public int number() {
                return place.number();
            }
        }

        /** @param isHeld whether it stays when the transaction commits */
        record Held(int number, ScrolledRows rows, boolean isHeld) implements Cursor {}
    }

    private static final int MOST_CURSORS = 100;
    private static final int HELD_BYTES = 512;

    private final OpenTransaction transaction;
    private final SnapshotReads reads;
    private final BiConsumer<TransactionRequest.AdHoc, ResponseSink> session;
    private final SnapshotQuestions snapshot;
    private final Map<String, Cursor> open = new LinkedHashMap<>();
    private int declared;

    /** @param session executes a query before all that wait, as if the client had sent it */
    Cursors(
            OpenTransaction transaction,
            SnapshotReads reads,
            BiConsumer<TransactionRequest.AdHoc, ResponseSink> session,
            SnapshotQuestions snapshot) {
        this.transaction = transaction;
        this.reads = reads;
        this.session = session;
        this.snapshot = snapshot;
        transaction.atEnd(this::close);
    }

    /** Cursors that were declared so far. */
    int declared() {
        return declared;
    }

    /** The places of those that are read at snapshots. */
    List<SnapshotReads.Place> places() {
        return open.values().stream()
                .map(cursor -> cursor instanceof Cursor.Read(SnapshotReads.Place place, long _) ? place : null)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Executes the command; null if its answer comes later. */
    @Nullable TransactionResponse execute(CursorCommand command, TransactionRequest.AdHoc request, ResponseSink sink) {
        HeldCursors earlier = sink.heldCursors();
        if (earlier != null && earlier.isFor(command)) {
            if (command instanceof CursorCommand.CloseAll) {
                close();
            }
            return earlier.execute(command, request, sink);
        }
        return switch (command) {
            case CursorCommand.Declare declare -> declare(declare, request, sink);
            case CursorCommand.Fetch(String name, CursorStep step) -> fetch(name, step, request, sink);
            case CursorCommand.Move(String name, CursorStep step) -> move(name, step, request, sink);
            case CursorCommand.Close(String name) -> {
                find(name);
                close(name);
                yield Committed.DONE;
            }
            case CursorCommand.CloseAll _ -> {
                close();
                yield Committed.DONE;
            }
        };
    }

    private Cursor find(String name) {
        Cursor known = open.get(name);
        if (known == null) {
            throw new FulmarException(
                    ErrorCode.UNKNOWN_CURSOR,
                    "there is no cursor " + name + " in the transaction; DECLARE " + name + " CURSOR FOR makes one");
        }
        return known;
    }

    // Declaring.

    private @Nullable TransactionResponse declare(
            CursorCommand.Declare declare, TransactionRequest.AdHoc request, ResponseSink sink) {
        String name = declare.name();
        String sql = declare.query();
        HeldCursors earlier = sink.heldCursors();
        if (declare.isHeld() && earlier == null) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "cursors of this protocol end with their transaction; leave WITH HOLD out, or read a stream of rows"
                            + " outside of transactions");
        }
        int others = earlier == null ? 0 : earlier.count();
        if (open.containsKey(name) || (earlier != null && earlier.has(name))) {
            throw new FulmarException(
                    ErrorCode.DUPLICATE_CURSOR,
                    "there is a cursor " + name + "; CLOSE it first, or choose another name");
        }
        if (open.size() + others >= MOST_CURSORS) {
            throw new FulmarException(
                    ErrorCode.TOO_MANY_PORTALS,
                    "a transaction has at most " + MOST_CURSORS + " cursors, with those that are held of earlier ones;"
                            + " CLOSE some");
        }
        TransactionRequest.AdHoc query = request.with(sql, request.parameters());
        declared++;
        Declaration declaration = new Declaration(declare, declared, request, sink);
        boolean isKept = declare.isHeld() || declare.scroll() == CursorCommand.Scroll.YES;
        if (transaction.isReadOnly() && isKept) {
            transaction.next(query, List.of(), 0);
            snapshot.read(query, declaration, own -> reads.query(query, own));
        } else if (transaction.isReadOnly()) {
            transaction.next(query, List.of(), 0);
            declaration.take(HELD_BYTES + 2L * sql.length() + query.parameters().length);
            try {
                snapshot.read(
                        query, declaration, own -> declaration.place = reads.declare(query, declaration.number, own));
            } catch (FulmarException noSnapshot) {
                declaration.giveBack();
                throw noSnapshot;
            }
        } else {
            session.accept(query, declaration);
        }
        return null;
    }

    /** The answer to a cursor's query, before the client knows it. */
    private final class Declaration extends PassingSink<TransactionRequest.AdHoc> {
        private final CursorCommand.Declare declare;
        private final int number;

        /** Where it is read; null if its rows are held. */
        private SnapshotReads.@Nullable Place place;

        private long bytes;

        Declaration(CursorCommand.Declare declare, int number, TransactionRequest.AdHoc request, ResponseSink sink) {
            super(request, sink);
            this.declare = declare;
            this.number = number;
        }

        void take(long queryBytes) {
            transaction.take(queryBytes);
            bytes = queryBytes;
        }

        void giveBack() {
            transaction.giveBack(bytes);
            bytes = 0;
        }

        @Override
        public void respond(TransactionRequest asked, TransactionResponse response) {
            sink.respond(
                    request,
                    switch (response) {
                        case Committed answer -> opened(answer);
                        case Failed failed -> refused(failed);
                    });
        }

        private TransactionResponse opened(Committed answer) {
            SnapshotReads.Place known = place;
            if (known != null) {
                open.put(declare.name(), new Cursor.Read(known, bytes));
                return Committed.DONE;
            }
            if (answer.kind() != Kind.TABLE) {
                return refused(Answers.failed(
                        new FulmarException(ErrorCode.NOT_SUPPORTED, "a cursor reads the rows of a query")));
            }
            ScrolledRows rows = new ScrolledRows(answer.results(), declare.scroll() != CursorCommand.Scroll.NO);
            try {
                transaction.takeRows(HELD_BYTES + rows.bytes());
            } catch (FulmarException full) {
                return refused(Answers.failed(full));
            }
            open.put(declare.name(), new Cursor.Held(number, rows, declare.isHeld()));
            return Committed.DONE;
        }

        private Failed refused(Failed failed) {
            giveBack();
            boolean isTooLarge = !transaction.isReadOnly()
                    && (failed.code() == ErrorCode.RESULT_TOO_LARGE || failed.code() == ErrorCode.MEMORY_LIMIT);
            return isTooLarge
                    ? new Failed(
                            failed.code(),
                            failed.message()
                                    + " (the rows of a cursor are held, for the transaction may change something: BEGIN"
                                    + " READ ONLY to have them read as they are fetched)")
                    : failed;
        }
    }

    // Reading.

    private @Nullable TransactionResponse fetch(
            String name, CursorStep step, TransactionRequest.AdHoc request, ResponseSink sink) {
        return switch (find(name)) {
            case Cursor.Held(int _, ScrolledRows held, boolean _) -> HeldCursors.fetch(held, step, request, sink);
            case Cursor.Read(SnapshotReads.Place place, long _) -> {
                snapshot.read(
                        request,
                        unlessItFails(name, place, request, sink),
                        own -> reads.fetch(place, rows(step), request, own));
                yield null;
            }
        };
    }

    private @Nullable TransactionResponse move(
            String name, CursorStep step, TransactionRequest.AdHoc request, ResponseSink sink) {
        return switch (find(name)) {
            case Cursor.Held(int _, ScrolledRows held, boolean _) ->
                new Committed(Kind.VALUE, held.move(step), new byte[0]);
            case Cursor.Read(SnapshotReads.Place place, long _) -> {
                snapshot.read(
                        request,
                        unlessItFails(name, place, request, sink),
                        own -> reads.move(place, rows(step), request, own));
                yield null;
            }
        };
    }

    /** The rows that a cursor is to go on by which is read at a snapshot: it has none that lie behind it. */
    private static int rows(CursorStep step) {
        if (!step.goesOn()) {
            throw ScrolledRows.onlyForward();
        }
        return (int) Math.min(step.count(), Integer.MAX_VALUE);
    }

    /** A cursor that has failed may have lost rows, and is closed. */
    private ResponseSink unlessItFails(
            String name, SnapshotReads.Place place, TransactionRequest.AdHoc request, ResponseSink sink) {
        return new PassingSink<>(request, sink) {
            @Override
            public void respond(TransactionRequest asked, TransactionResponse response) {
                if (response instanceof Failed
                        && open.get(name) instanceof Cursor.Read(var known, var _)
                        && known.equals(place)) {
                    close(name);
                }
                sink.respond(request, response);
            }
        };
    }

    // Ends.

    /** The transaction has committed: cursors WITH HOLD become the connection's, with their memory. */
    void keepHeld(ResponseSink sink) {
        HeldCursors later = sink.heldCursors();
        if (later == null) {
            return;
        }
        open.entrySet().removeIf(entry -> {
            if (!(entry.getValue() instanceof Cursor.Held(int _, ScrolledRows rows, boolean isHeld)) || !isHeld) {
                return false;
            }
            long bytes = (long) HELD_BYTES + rows.bytes();
            transaction.leaveRows(bytes);
            later.keep(entry.getKey(), rows, transaction.memory(), bytes);
            return true;
        });
    }

    private void close(String name) {
        switch (open.remove(name)) {
            case Cursor.Held(int _, ScrolledRows rows, boolean _) ->
                transaction.giveBackRows(HELD_BYTES + rows.bytes());
            case Cursor.Read(SnapshotReads.Place place, long bytes) -> {
                reads.close(place);
                transaction.giveBack(bytes);
            }
            case null -> {}
        }
    }

    /** Closes those that were declared when there had been so many. */
    void closeFrom(int earlier) {
        if (open.isEmpty()) {
            return;
        }
        List<String> later = open.entrySet().stream()
                .filter(entry -> entry.getValue().number() > earlier)
                .map(Map.Entry::getKey)
                .toList();
        later.forEach(this::close);
    }

    /** Closes all. */
    void close() {
        closeFrom(0);
    }
}
