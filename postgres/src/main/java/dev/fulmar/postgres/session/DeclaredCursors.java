package dev.fulmar.postgres.session;

import dev.fulmar.postgres.dialect.NameFolding;
import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.wire.session.CursorCommand;
import dev.fulmar.wire.session.SessionCommand;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Queries of the cursors that the session's transaction has declared: clients have them described as portals. */
final class DeclaredCursors {
    private final Map<String, Translation> queries = new TreeMap<>();

    /** Notes what a statement that is complete has declared or closed. */
    void executed(Translation statement) {
        String word = statement.firstWord();
        if (!word.equals("DECLARE") && !word.equals("CLOSE")) {
            return;
        }
        switch (SessionCommand.of(statement.sql())) {
            case CursorCommand.Declare(String name, String query) -> queries.put(name, query(statement, query));
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

    /** Cursors end with their transaction. */
    void clear() {
        queries.clear();
    }
}
