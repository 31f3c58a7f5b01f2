package dev.fulmar.wire.session;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.Locale;

/** A statement as a session understands it: a command to itself, or SQL for the database. */
public sealed interface SessionCommand
        permits CursorCommand,
                SessionCommand.Begin,
                SessionCommand.SetMode,
                SessionCommand.Commit,
                SessionCommand.Rollback,
                SessionCommand.Chain,
                SessionCommand.Savepoint,
                SessionCommand.RollbackTo,
                SessionCommand.Release,
                SessionCommand.Sql {
    /** {@code BEGIN}. */
    record Begin(TransactionMode mode) implements SessionCommand {}

    /** {@code SET TRANSACTION}, before the first statement. */
    record SetMode(TransactionMode mode) implements SessionCommand {}

    /** {@code COMMIT}. */
    record Commit() implements SessionCommand {}

    /** {@code ROLLBACK}. */
    record Rollback() implements SessionCommand {}

    /**
     * {@code COMMIT AND CHAIN} or {@code ROLLBACK AND CHAIN}: another transaction of the same modes begins at once.
     *
     * @param commits whether the one before is committed
     */
    record Chain(boolean commits) implements SessionCommand {
        /** The error for a session whose client begins its transactions by calls. */
        public FulmarException refused() {
            return new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "AND CHAIN is for clients of PostgreSQL's protocol; end the transaction, and BEGIN the next one");
        }
    }

    /** {@code SAVEPOINT name}. */
    record Savepoint(String name) implements SessionCommand {}

    /** {@code ROLLBACK TO SAVEPOINT name}. */
    record RollbackTo(String name) implements SessionCommand {}

    /** {@code RELEASE SAVEPOINT name}. */
    record Release(String name) implements SessionCommand {}

    /** Anything else. */
    record Sql() implements SessionCommand {}

    /**
     * The meaning of a text.
     *
     * @throws FulmarException {@link ErrorCode#SYNTAX} for one that begins as a command and is none
     */
    static SessionCommand of(String sql) {
        CursorCommand declared = CursorCommand.declared(sql);
        if (declared != null) {
            return declared;
        }
        List<String> words = CommandWords.of(sql);
        if (words.isEmpty()) {
            return new Sql();
        }
        return switch (words.getFirst()) {
            case "BEGIN", "START" -> begin(words);
            case "SET" -> set(words);
            case "COMMIT", "END" -> simple(words, new Commit());
            case "ABORT" -> simple(words, new Rollback());
            case "ROLLBACK" -> rollback(words);
            case "SAVEPOINT" -> new Savepoint(name(words, 1));
            case "RELEASE" -> new Release(name(words, isWord(words, 1, "SAVEPOINT") ? 2 : 1));
            case "FETCH", "MOVE" -> CursorCommand.reading(words);
            case "CLOSE" -> CursorCommand.closing(words);
            default -> new Sql();
        };
    }

    /** Modes are those of the transaction, whether SESSION or LOCAL stands before it. */
    private static SessionCommand set(List<String> words) {
        int place = isWord(words, 1, "SESSION") || isWord(words, 1, "LOCAL") ? 2 : 1;
        return isWord(words, place, "TRANSACTION") ? new SetMode(mode(words, place + 1)) : new Sql();
    }

    private static SessionCommand begin(List<String> words) {
        int next = isBlock(words, 1) ? 2 : 1;
        if (words.getFirst().equals("START") && next == 1) {
            return new Sql();
        }
        return new Begin(mode(words, next));
    }

    private static TransactionMode mode(List<String> words, int start) {
        return TransactionMode.of(words.subList(start, words.size())).orElseThrow(() -> wrong(words));
    }

    private static SessionCommand rollback(List<String> words) {
        int next = isBlock(words, 1) ? 2 : 1;
        if (isWord(words, next, "TO")) {
            return new RollbackTo(name(words, isWord(words, next + 1, "SAVEPOINT") ? next + 2 : next + 1));
        }
        return simple(words, new Rollback());
    }

    private static SessionCommand simple(List<String> words, SessionCommand meaning) {
        int next = isBlock(words, 1) ? 2 : 1;
        List<String> rest = words.subList(next, words.size());
        if (rest.equals(List.of("AND", "CHAIN"))) {
            return new Chain(meaning instanceof Commit);
        }
        if (!rest.isEmpty() && !rest.equals(List.of("AND", "NO", "CHAIN"))) {
            throw wrong(words);
        }
        return meaning;
    }

    private static boolean isBlock(List<String> words, int position) {
        return isWord(words, position, "TRANSACTION") || isWord(words, position, "WORK");
    }

    private static boolean isWord(List<String> words, int position, String word) {
        return position < words.size() && words.get(position).equals(word);
    }

    private static String name(List<String> words, int position) {
        if (words.size() != position + 1) {
            throw wrong(words);
        }
        return words.get(position);
    }

    private static FulmarException wrong(List<String> words) {
        return new FulmarException(
                ErrorCode.SYNTAX,
                "not understood: " + String.join(" ", words).toLowerCase(Locale.ROOT)
                        + "; a session takes BEGIN, SET TRANSACTION, COMMIT, ROLLBACK, SAVEPOINT name, ROLLBACK TO name,"
                        + " RELEASE name and SQL");
    }
}
