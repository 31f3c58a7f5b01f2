package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.request.HeldCursors;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.postgres.dialect.NameFolding;
import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.wire.session.CursorCommand;
import dev.fulmar.wire.session.SessionCommand;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Queries of the cursors that the session's transaction has declared, or that are held of an earlier one: clients have
 * them described as portals. Those that are held are read here where no transaction is open.
 */
final class DeclaredCursors {
    private final HeldCursors held;
    private final Map<String, Translation> queries = new TreeMap<>();

    DeclaredCursors(HeldCursors held) {
        this.held = held;
    }

    /** Notes what a statement that is complete has declared or closed. */
    void executed(Translation statement) {
        String word = statement.firstWord();
        if (!word.equals("DECLARE") && !word.equals("CLOSE")) {
            return;
        }
        switch (SessionCommand.of(statement.sql())) {
            case CursorCommand.Declare declare -> queries.put(declare.name(), query(statement, declare.query()));
            case CursorCommand.Close(String name) -> queries.remove(name);
            case CursorCommand.CloseAll _ -> queries.clear();
            default -> {
                // A statement that is no command to a cursor.
            }
        }
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
        return queries.get(NameFolding.mirrored(name));
    }

    /** Cursors end with their transaction, but for those that it holds. */
    void transactionEnds() {
        queries.keySet().removeIf(name -> !held.has(name));
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
        queries.clear();
    }
}
