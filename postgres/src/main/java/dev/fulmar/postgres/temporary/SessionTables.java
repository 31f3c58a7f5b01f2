package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.temporary.TemporarySchemas;
import dev.fulmar.engine.spi.StatementStyle;
import dev.fulmar.engine.spi.TemporaryMark;
import dev.fulmar.engine.spi.ZoneMark;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.postgres.dialect.AtCommit;
import dev.fulmar.postgres.dialect.TableChange;
import dev.fulmar.postgres.dialect.Translation;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The temporary tables of a session: the schema that its statements name while it has some, and the end of their rows.
 * Statements behind a transaction do what ON COMMIT says: no other session sees the rows meanwhile.
 */
final class SessionTables {
    private final TemporarySchemas schemas;

    /** Empty before the first table. */
    private String schema = "";

    /** Whether there may be tables. */
    private boolean isUsed;

    /** By the names of tables, as far as the session knows of them. */
    private Map<String, AtCommit> atCommit = new TreeMap<>();

    /** The same at the begin of the transaction. */
    private Map<String, AtCommit> before = Map.of();

    /** Whether rows may be left that a transaction's end should have removed. */
    private boolean isUnsettled;

    SessionTables(TemporarySchemas schemas) {
        this.schemas = schemas;
    }

    /** The schema that a statement is planned with; empty for none. */
    String schemaFor(Translation statement) {
        if (statement.firstWord().equals("CREATE") && TableChange.of(statement) instanceof TableChange.Made) {
            begin();
        }
        return isUsed ? schema : "";
    }

    private void begin() {
        if (schema.isEmpty()) {
            schema = schemas.begin();
        }
        isUsed = true;
    }

    /** A text that the session sends for itself. */
    String marked(String sql) {
        return isUsed ? TemporaryMark.added(sql, schema) : sql;
    }

    /** The same, with the session's schemas for plain names. */
    String marked(String sql, StatementStyle style) {
        return ZoneMark.added(marked(sql), style.ofNames());
    }

    /** Fails for a change that the end of a transaction would not know of. */
    void check(Translation statement) {
        if (isUsed
                && TableChange.of(statement) instanceof TableChange.Renamed(String name, String _)
                && atCommit.getOrDefault(name, AtCommit.PRESERVE_ROWS) != AtCommit.PRESERVE_ROWS) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "a temporary table with ON COMMIT keeps its name; make another one with CREATE TEMPORARY TABLE");
        }
    }

    /** A statement has been executed. */
    void executed(Translation statement) {
        if (!isUsed) {
            return;
        }
        switch (TableChange.of(statement)) {
            case TableChange.Made(String name, boolean isLenient, AtCommit said) -> {
                if (!isLenient || !atCommit.containsKey(name)) {
                    atCommit.put(name, said);
                }
            }
            case TableChange.Dropped(String name) -> atCommit.remove(name);
            case TableChange.Renamed(String name, String newName) -> {
                AtCommit kept = atCommit.remove(name);
                if (kept != null) {
                    atCommit.put(newName, kept);
                }
            }
            case null -> {
                // A statement about rows.
            }
        }
        isUnsettled |= endsAny() && !statement.isQuery();
    }

    /** Whether a statement of rows is one of a transaction, at whose end there is something to do. */
    boolean needsTransaction(Translation statement) {
        return isUsed && endsAny() && !statement.isQuery() && TableChange.of(statement) == null;
    }

    private boolean endsAny() {
        return atCommit.values().stream().anyMatch(said -> said != AtCommit.PRESERVE_ROWS);
    }

    void transactionBegins() {
        before = Map.copyOf(atCommit);
    }

    /** The transaction has gone back to a savepoint: tables that it has dropped since may be there again. */
    void wentBack() {
        before.forEach(atCommit::putIfAbsent);
    }

    void transactionEnds(boolean isCommitted) {
        if (!isCommitted) {
            atCommit = new TreeMap<>(before);
            isUnsettled = false;
        }
    }

    /** Whether statements are to be sent before the next one of the client. */
    boolean isUnsettled() {
        return isUnsettled;
    }

    /** A statement that does for one table what ON COMMIT says. */
    private record Ending(String table, AtCommit said, String sql) {}

    /** Does what ON COMMIT says of all tables, and goes on. A refused statement is to be sent later. */
    void settle(
            BiConsumer<String, Consumer<TransactionResponse>> asking,
            Runnable then,
            Consumer<FulmarException> refused) {
        settle(endings().iterator(), asking, then, refused);
    }

    private void settle(
            Iterator<Ending> left,
            BiConsumer<String, Consumer<TransactionResponse>> asking,
            Runnable then,
            Consumer<FulmarException> refused) {
        if (!left.hasNext()) {
            isUnsettled = false;
            then.run();
            return;
        }
        Ending next = left.next();
        asking.accept(next.sql(), answer -> {
            Failed failure = answer instanceof Failed found ? found : null;
            boolean isGone = failure != null && failure.code() == ErrorCode.UNKNOWN_OBJECT;
            if (failure != null && !isGone) {
                refused.accept(new FulmarException(failure.code(), failure.message()));
                return;
            }
            if (isGone || next.said() == AtCommit.DROP) {
                atCommit.remove(next.table());
            }
            settle(left, asking, then, refused);
        });
    }

    private List<Ending> endings() {
        List<Ending> endings = new ArrayList<>();
        atCommit.forEach((table, said) -> {
            String name = quoted(schema) + "." + quoted(table);
            switch (said) {
                case PRESERVE_ROWS -> {
                    // Nothing to do.
                }
                case DELETE_ROWS -> endings.add(new Ending(table, said, marked("DELETE FROM " + name)));
                case DROP -> endings.add(new Ending(table, said, marked("DROP TABLE IF EXISTS " + name + " CASCADE")));
            }
        });
        return endings;
    }

    /** Whether the statement drops all of them, and there may be some. */
    boolean areDiscardedBy(Translation statement) {
        return isUsed
                && statement.firstWord().equals("DISCARD")
                && statement.words().size() > 1
                && List.of("ALL", "TEMP", "TEMPORARY")
                        .contains(statement.words().get(1));
    }

    /** The statement that drops all of them. */
    String removal() {
        return marked("DROP SCHEMA IF EXISTS " + quoted(schema) + " CASCADE");
    }

    /** It was executed, for good or in a transaction. */
    void discarded(boolean forGood) {
        atCommit.clear();
        isUsed = !forGood;
    }

    /** The session is over; a second call does nothing. */
    void leave() {
        String left = schema;
        schema = "";
        isUsed = false;
        if (!left.isEmpty()) {
            schemas.end(left);
        }
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
