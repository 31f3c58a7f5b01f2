package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.request.HeldCursors;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.postgres.dialect.NameFolding;
import dev.fulmar.postgres.dialect.SessionFacts;
import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.wire.session.CursorCommand;
import dev.fulmar.wire.session.SessionCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Queries of the cursors that the session's transaction has declared, or that are held of an earlier one: clients have
 * them described as portals. Those that are held are read here where no transaction is open.
 */
final class DeclaredCursors {
    private final HeldCursors held;
    private final Map<String, Declared> open = new TreeMap<>();

    /** Savepoints of the transaction, with the cursors that were open when they were set. */
    private final List<Savepoint> savepoints = new ArrayList<>();

    /** @param query that it reads */
    private record Declared(Translation query, SessionFacts.OpenCursor cursor) {}

    private record Savepoint(String name, Set<String> cursors) {}

    DeclaredCursors(HeldCursors held) {
        this.held = held;
    }

    /** Notes what a statement that is complete has declared or closed. */
    void executed(Translation statement) {
        switch (statement.firstWord()) {
            case "DECLARE", "CLOSE", "SAVEPOINT", "ROLLBACK", "RELEASE" -> note(statement);
            default -> {
                // No other statement declares or closes one.
            }
        }
    }

    private void note(Translation statement) {
        switch (SessionCommand.of(statement.sql())) {
            case CursorCommand.Declare declare ->
                open.put(declare.name(), new Declared(query(statement, declare.query()), shown(statement, declare)));
            case CursorCommand.Close(String name) -> open.remove(name);
            case CursorCommand.CloseAll _ -> open.clear();
            case SessionCommand.Savepoint(String name) ->
                savepoints.add(new Savepoint(name, new TreeSet<>(open.keySet())));
            case SessionCommand.RollbackTo(String name) -> {
                int place = placeOf(name);
                if (place >= 0) {
                    savepoints.subList(place + 1, savepoints.size()).clear();
                    open.keySet()
                            .removeIf(cursor -> !savepoints.get(place).cursors().contains(cursor));
                }
            }
            case SessionCommand.Release(String name) -> {
                int place = placeOf(name);
                if (place >= 0) {
                    savepoints.subList(place, savepoints.size()).clear();
                }
            }
            default -> {
                // A statement that is no command to a cursor.
            }
        }
    }

    private int placeOf(String savepoint) {
        int place = savepoints.size() - 1;
        while (place >= 0 && !savepoints.get(place).name().equals(savepoint)) {
            place--;
        }
        return place;
    }

    private static SessionFacts.OpenCursor shown(Translation statement, CursorCommand.Declare declare) {
        return new SessionFacts.OpenCursor(
                NameFolding.mirrored(declare.name()),
                statement.source().strip(),
                declare.isHeld(),
                declare.scroll() != CursorCommand.Scroll.NO);
    }

    /** The cursors that are open, by their names. */
    List<SessionFacts.OpenCursor> all() {
        return open.values().stream().map(Declared::cursor).toList();
    }

    private static Translation query(Translation declare, String sql) {
        return new Translation(
                "",
                0,
                sql,
                declare.parameters(),
                declare.parameterCount(),
                List.of("SELECT"),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    /** The query of the cursor, by the client's name for it; null if there is no such cursor. */
    @Nullable Translation query(String name) {
        Declared known = open.get(NameFolding.mirrored(name));
        return known == null ? null : known.query();
    }

    /** Cursors end with their transaction, but for those that it holds. */
    void transactionEnds() {
        open.keySet().removeIf(name -> !held.has(name));
        savepoints.clear();
    }

    /** Whether the statement needs a transaction, of which a cursor stays. */
    static boolean isHeldBy(SessionCommand command) {
        return command instanceof CursorCommand.Declare declare && declare.isHeld();
    }

    /**
     * Whether the statement is about cursors that are held of earlier transactions. No other transaction would take
     * back what it does to them.
     */
    boolean areMeantBy(SessionCommand command, HeldWork work) {
        boolean areMeant = command instanceof CursorCommand cursor && held.isFor(cursor);
        work.dropUnless(!areMeant);
        return areMeant;
    }

    /** Executes such a statement where no transaction is open. */
    Committed execute(SessionCommand command, TransactionRequest request, ResponseSink sink) {
        return held.execute((CursorCommand) command, request, sink);
    }

    /** Closes all that are held. */
    void discard() {
        held.closeAll();
        open.clear();
    }
}
