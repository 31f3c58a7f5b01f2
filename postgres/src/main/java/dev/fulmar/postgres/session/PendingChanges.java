package dev.fulmar.postgres.session;

import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.wire.session.SessionCommand;
import java.util.ArrayList;
import java.util.List;

/**
 * Changes of tables that the session's transaction has made, which others see with the COMMIT. Statements behind them
 * are described by the tables as they leave them. For the session's thread.
 */
final class PendingChanges {
    /** A change, or a savepoint between changes. */
    private record Entry(String text, boolean isSavepoint) {}

    private final List<Entry> entries = new ArrayList<>();

    void clear() {
        entries.clear();
    }

    /** Notes a statement that the transaction has executed. */
    void executed(SessionCommand command, Translation statement) {
        switch (command) {
            case SessionCommand.Savepoint(String name) -> entries.add(new Entry(name, true));
            case SessionCommand.RollbackTo(String name) -> {
                int savepoint = last(name);
                entries.subList(savepoint + 1, entries.size()).clear();
            }
            case SessionCommand.Release(String name) -> {
                int savepoint = last(name);
                if (savepoint >= 0) {
                    entries.subList(savepoint, entries.size()).removeIf(Entry::isSavepoint);
                }
            }
            default -> {
                if (SessionCommands.changesTables(statement)) {
                    entries.add(new Entry(statement.sql(), false));
                }
            }
        }
    }

    private int last(String savepoint) {
        for (int i = entries.size() - 1; i >= 0; i--) {
            if (entries.get(i).isSavepoint() && entries.get(i).text().equals(savepoint)) {
                return i;
            }
        }
        return -1;
    }

    /** Their texts, in order. */
    List<String> texts() {
        return entries.stream()
                .filter(entry -> !entry.isSavepoint())
                .map(Entry::text)
                .toList();
    }
}
