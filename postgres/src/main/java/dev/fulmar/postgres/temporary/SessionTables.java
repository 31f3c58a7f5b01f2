package dev.fulmar.postgres.temporary;

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
import dev.fulmar.postgres.dialect.TableCreation;
import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.wire.session.SessionCommand;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The temporary tables of a session: the schema that its statements name while it has some, and the end of their rows.
 * Statements behind a transaction do what ON COMMIT says: no other session sees the rows meanwhile. For the same reason
 * a transaction that has changed no other table makes its temporary tables at once. They are dropped if it is taken
 * back. So its statements about their rows are like all others.
 */
public final class SessionTables {
    /** Characters of a transaction's statements that are kept. */
    private static final int MOST_TEXT = 1 << 17;

    private final TemporarySchemas schemas;

    /** Empty before the first table. */
    private String schema = "";

    /** Whether there may be tables. */
    private boolean isUsed;

    /** By the names of tables, as far as the session knows of them. */
    private Map<String, AtCommit> atCommit = new TreeMap<>();

    /** The same at the begin of the transaction. */
    private Map<String, AtCommit> before = Map.of();

    /** Something that the transaction has made at once, or a savepoint between. */
    private sealed interface Entry {}

    private record Made(String name, boolean isSequence) implements Entry {}

    /**
     * @param atCommit as it was then
     * @param texts statements of the transaction before it
     */
    private record Savepoint(String name, Map<String, AtCommit> atCommit, int texts) implements Entry {}

    private final List<Entry> entries = new ArrayList<>();

    /** Tables and sequences that are still to be dropped, of a transaction that was taken back. */
    private final List<Made> left = new ArrayList<>();

    private boolean isInTransaction;

    /** The transaction has dropped all with its COMMIT, and makes nothing that would go with them. */
    private boolean isDiscarded;

    /** Statements of the transaction: a name in them must not mean something else when they run again. */
    private final List<String> texts = new ArrayList<>();

    /** Their characters; more than {@link #MOST_TEXT} may name anything. */
    private long textLength;

    /** Whether there was something to be done behind the transaction before. */
    private boolean wasUnsettled;

    /** Whether rows may be left that a transaction's end should have removed. */
    private boolean isUnsettled;

    /** Those of a session that has none yet. */
    public SessionTables(TemporarySchemas schemas) {
        this.schemas = schemas;
    }

    /** The schema that a statement is planned with; empty for none. */
    public String schemaFor(Translation statement) {
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
    public String marked(String sql) {
        return isUsed ? TemporaryMark.added(sql, schema) : sql;
    }

    /** The same, with the session's schemas for plain names. */
    public String marked(String sql, StatementStyle style) {
        return ZoneMark.added(marked(sql), style.ofNames());
    }

    /** Fails for a change that the end of a transaction would not know of. */
    public void check(Translation statement) {
        if (isUsed
                && TableChange.of(statement) instanceof TableChange.Renamed(String name, String _)
                && atCommit.getOrDefault(name, AtCommit.PRESERVE_ROWS) != AtCommit.PRESERVE_ROWS) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "a temporary table with ON COMMIT keeps its name; make another one with CREATE TEMPORARY TABLE");
        }
    }

    /** A statement of a transaction is executed in it. */
    public void seen(Translation statement) {
        boolean isKnown = !texts.isEmpty() && texts.getLast().equals(statement.source()); // one of a batch
        if (!isInTransaction || isKnown) {
            return;
        }
        textLength += statement.source().length();
        if (textLength <= MOST_TEXT) {
            texts.add(statement.source());
        } else {
            texts.clear();
        }
    }

    private boolean isNamed(String name) {
        return textLength > MOST_TEXT || texts.stream().anyMatch(text -> TableCreation.isNamed(text, name));
    }

    /**
     * The statements that make a temporary table at once, or change one that the transaction has made since its last
     * savepoint. Empty if that would change what earlier statements mean, or what the query of the table reads.
     */
    public Optional<TableCreation> atOnce(Translation statement) {
        if (!isUsed || isDiscarded) {
            return Optional.empty();
        }
        return switch (TableChange.of(statement)) {
            case TableChange.Made made ->
                TableCreation.of(statement).filter(creation -> !isNamed(made.name()) && !creation.reads(made.name()));
            case TableChange.Altered(String name) when isNew(name) && !isNamed(name) -> TableCreation.of(statement);
            case TableChange.Renamed(String name, String newName)
            when isNew(name) && !isNamed(name) && !isNamed(newName) -> TableCreation.of(statement);
            case null, default -> Optional.empty();
        };
    }

    /** Whether the transaction has made it since its last savepoint. */
    private boolean isNew(String name) {
        for (int i = entries.size() - 1; i >= 0; i--) {
            switch (entries.get(i)) {
                case Made made -> {
                    if (made.name().equals(name)) {
                        return true;
                    }
                }
                case Savepoint _ -> {
                    return false;
                }
            }
        }
        return false;
    }

    /** A statement of the transaction has been executed at once; what it makes was not there. */
    public void executedAtOnce(Translation statement) {
        switch (TableChange.of(statement)) {
            case TableChange.Made made -> {
                entries.add(new Made(made.name(), made.isSequence()));
                atCommit.put(made.name(), made.atCommit());
                isUnsettled |= endsAny();
            }
            case TableChange.Renamed(String name, String newName) -> {
                entries.replaceAll(
                        each -> each instanceof Made made && made.name().equals(name)
                                ? new Made(newName, made.isSequence())
                                : each);
                executed(statement);
            }
            case null, default -> {
                // Goes with its table.
            }
        }
    }

    /** A command of the transaction has been executed. */
    public void executed(SessionCommand command) {
        switch (command) {
            case SessionCommand.Savepoint(String name) ->
                entries.add(new Savepoint(name, Map.copyOf(atCommit), texts.size()));
            case SessionCommand.RollbackTo(String name) -> {
                int savepoint = last(name);
                List<Entry> since = entries.subList(savepoint + 1, entries.size());
                takeBack(since);
                since.clear();
                atCommit = new TreeMap<>(before);
                if (savepoint >= 0 && entries.get(savepoint) instanceof Savepoint(var _, var then, int earlier)) {
                    atCommit = new TreeMap<>(then);
                    texts.subList(Math.min(earlier, texts.size()), texts.size()).clear();
                }
            }
            case SessionCommand.Release(String name) -> {
                int savepoint = last(name);
                if (savepoint >= 0) {
                    entries.subList(savepoint, entries.size()).removeIf(Savepoint.class::isInstance);
                }
            }
            default -> {
                // Nothing of tables.
            }
        }
    }

    private void takeBack(List<Entry> taken) {
        for (Entry entry : taken) {
            if (entry instanceof Made made) {
                left.add(made);
            }
        }
    }

    private int last(String savepoint) {
        for (int i = entries.size() - 1; i >= 0; i--) {
            if (entries.get(i) instanceof Savepoint(String name, var _, int _) && name.equals(savepoint)) {
                return i;
            }
        }
        return -1;
    }

    /** A statement has been executed. */
    public void executed(Translation statement) {
        if (!isUsed) {
            return;
        }
        switch (TableChange.of(statement)) {
            case TableChange.Made(String name, boolean isLenient, AtCommit said, boolean _) -> {
                if (!isLenient || !atCommit.containsKey(name)) {
                    atCommit.put(name, said);
                }
            }
            case TableChange.Altered _ -> {
                // It keeps its name and its end.
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
    public boolean needsTransaction(Translation statement) {
        return isUsed && endsAny() && !statement.isQuery() && TableChange.of(statement) == null;
    }

    private boolean endsAny() {
        return atCommit.values().stream().anyMatch(said -> said != AtCommit.PRESERVE_ROWS);
    }

    public void transactionBegins() {
        before = Map.copyOf(atCommit);
        wasUnsettled = isUnsettled;
        isInTransaction = true;
    }

    public void transactionEnds(boolean isCommitted) {
        if (!isCommitted) {
            atCommit = new TreeMap<>(before);
            takeBack(entries);
            isUnsettled = wasUnsettled || !left.isEmpty();
        }
        entries.clear();
        texts.clear();
        textLength = 0;
        isInTransaction = false;
        isDiscarded = false;
    }

    /** Whether something is to be dropped that the transaction made before it went back to a savepoint. */
    public boolean hasLeft() {
        return !left.isEmpty();
    }

    /** Whether statements are to be sent before the next one of the client. */
    public boolean isUnsettled() {
        return isUnsettled;
    }

    /** A statement that does for one table what ON COMMIT says, or that drops what was taken back. */
    private record Ending(String table, AtCommit said, String sql, boolean isOfLeft) {}

    /** Drops what the transaction made before it went back to a savepoint, and goes on. */
    public void dropLeft(
            BiConsumer<String, Consumer<TransactionResponse>> asking,
            Runnable then,
            Consumer<FulmarException> refused) {
        settle(removals().iterator(), asking, then, refused);
    }

    private List<Ending> removals() {
        return left.stream()
                .map(each -> new Ending(
                        each.name(),
                        AtCommit.DROP,
                        marked((each.isSequence() ? "DROP SEQUENCE IF EXISTS " : "DROP TABLE IF EXISTS ")
                                + quoted(schema) + "." + quoted(each.name())
                                + (each.isSequence() ? "" : " CASCADE")),
                        true))
                .toList();
    }

    /** Does what ON COMMIT says of all tables, and goes on. A refused statement is to be sent later. */
    public void settle(
            BiConsumer<String, Consumer<TransactionResponse>> asking,
            Runnable then,
            Consumer<FulmarException> refused) {
        List<Ending> all = new ArrayList<>(removals());
        all.addAll(endings());
        settle(
                all.iterator(),
                asking,
                () -> {
                    isUnsettled = false;
                    then.run();
                },
                refused);
    }

    private void settle(
            Iterator<Ending> endings,
            BiConsumer<String, Consumer<TransactionResponse>> asking,
            Runnable then,
            Consumer<FulmarException> refused) {
        if (!endings.hasNext()) {
            then.run();
            return;
        }
        Ending next = endings.next();
        asking.accept(next.sql(), answer -> {
            Failed failure = answer instanceof Failed found ? found : null;
            boolean isGone = failure != null && failure.code() == ErrorCode.UNKNOWN_OBJECT;
            if (failure != null && !isGone) {
                refused.accept(new FulmarException(failure.code(), failure.message()));
                return;
            }
            if (next.isOfLeft()) {
                left.removeIf(each -> each.name().equals(next.table()));
            } else if (isGone || next.said() == AtCommit.DROP) {
                atCommit.remove(next.table());
            }
            settle(endings, asking, then, refused);
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
                case DELETE_ROWS -> endings.add(new Ending(table, said, marked("DELETE FROM " + name), false));
                case DROP ->
                    endings.add(new Ending(table, said, marked("DROP TABLE IF EXISTS " + name + " CASCADE"), false));
            }
        });
        return endings;
    }

    /** Whether the statement drops all of them, and there may be some. */
    public boolean areDiscardedBy(Translation statement) {
        return isUsed
                && statement.firstWord().equals("DISCARD")
                && statement.words().size() > 1
                && List.of("ALL", "TEMP", "TEMPORARY")
                        .contains(statement.words().get(1));
    }

    /** The statement that drops all of them. */
    public String removal() {
        return marked("DROP SCHEMA IF EXISTS " + quoted(schema) + " CASCADE");
    }

    /** It was executed, for good or in a transaction. */
    public void discarded(boolean forGood) {
        atCommit.clear();
        if (forGood) {
            left.clear();
        }
        isDiscarded = !forGood;
        isUsed = !forGood;
    }

    /** The session is over; a second call does nothing. */
    public void leave() {
        String ended = schema;
        schema = "";
        isUsed = false;
        if (!ended.isEmpty()) {
            schemas.end(ended);
        }
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
