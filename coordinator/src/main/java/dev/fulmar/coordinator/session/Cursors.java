package dev.fulmar.coordinator.session;

import dev.fulmar.coordinator.request.PassingSink;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.coordinator.transaction.HeldRows;
import dev.fulmar.engine.execution.PartSize;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.session.CursorCommand;
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

        record Held(int number, HeldRows rows) implements Cursor {}
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
        return switch (command) {
            case CursorCommand.Declare(String name, String query) -> declare(name, query, request, sink);
            case CursorCommand.Fetch(String name, int rows) -> fetch(name, rows, request, sink);
            case CursorCommand.Move(String name, int rows) -> move(name, rows, request, sink);
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
            String name, String sql, TransactionRequest.AdHoc request, ResponseSink sink) {
        if (open.containsKey(name)) {
            throw new FulmarException(
                    ErrorCode.DUPLICATE_CURSOR,
                    "the transaction has a cursor " + name + "; CLOSE it first, or choose another name");
        }
        if (open.size() >= MOST_CURSORS) {
            throw new FulmarException(
                    ErrorCode.TOO_MANY_PORTALS, "a transaction has at most " + MOST_CURSORS + " cursors; CLOSE some");
        }
        TransactionRequest.AdHoc query = request.with(sql, request.parameters());
        declared++;
        Declaration declaration = new Declaration(name, declared, request, sink);
        if (transaction.isReadOnly()) {
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
        private final String name;
        private final int number;

        /** Where it is read; null if its rows are held. */
        private SnapshotReads.@Nullable Place place;

        private long bytes;

        Declaration(String name, int number, TransactionRequest.AdHoc request, ResponseSink sink) {
            super(request, sink);
            this.name = name;
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
                open.put(name, new Cursor.Read(known, bytes));
                return Committed.DONE;
            }
            if (answer.kind() != Kind.TABLE) {
                throw new FulmarException(ErrorCode.NOT_SUPPORTED, "a cursor reads the rows of a query");
            }
            HeldRows rows = new HeldRows(answer.results());
            try {
                transaction.take(HELD_BYTES + rows.bytes());
            } catch (FulmarException full) {
                return refused(Answers.failed(full));
            }
            open.put(name, new Cursor.Held(number, rows));
            return Committed.DONE;
        }

        private Failed refused(Failed failed) {
            giveBack();
            boolean isTooLarge = place == null
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
            String name, int rows, TransactionRequest.AdHoc request, ResponseSink sink) {
        return switch (find(name)) {
            case Cursor.Held(int _, HeldRows held) -> {
                byte[] block = held.next(new PartSize(rows, Integer.MAX_VALUE));
                if (block.length > ResponseSink.FREE_BYTES && !sink.reserve(request, block.length)) {
                    held.takeBack();
                    throw new FulmarException(
                            ErrorCode.SERVER_BUSY,
                            "there is no memory for " + block.length
                                    + " bytes of rows now; fetch fewer at a time, or raise requests.memory-limit");
                }
                yield new Committed(Kind.TABLE, 0, block);
            }
            case Cursor.Read(SnapshotReads.Place place, long _) -> {
                snapshot.read(
                        request,
                        unlessItFails(name, place, request, sink),
                        own -> reads.fetch(place, rows, request, own));
                yield null;
            }
        };
    }

    private @Nullable TransactionResponse move(
            String name, int rows, TransactionRequest.AdHoc request, ResponseSink sink) {
        return switch (find(name)) {
            case Cursor.Held(int _, HeldRows held) -> new Committed(Kind.VALUE, held.skip(rows), new byte[0]);
            case Cursor.Read(SnapshotReads.Place place, long _) -> {
                snapshot.read(
                        request,
                        unlessItFails(name, place, request, sink),
                        own -> reads.move(place, rows, request, own));
                yield null;
            }
        };
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

    private void close(String name) {
        switch (open.remove(name)) {
            case Cursor.Held(int _, HeldRows rows) -> transaction.giveBack(HELD_BYTES + rows.bytes());
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
