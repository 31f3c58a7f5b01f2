package dev.fulmar.sql.text;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.plan.RowLock;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A query and what it wants of its rows: {@code FOR UPDATE | NO KEY UPDATE | SHARE | KEY SHARE}, then {@code [OF
 * table, ...] [NOWAIT | SKIP LOCKED]}.
 *
 * @param query the statement without the clause, every word where it was
 * @param lock empty if there is no clause
 * @param named what stands behind OF
 * @param wantsAll whether a clause FOR UPDATE wants the rows of all tables
 */
public record LockingClause(String query, Optional<RowLock> lock, List<Name> named, boolean wantsAll) {
    /** A name behind OF. */
    record Name(Token token, boolean isShared) {}

    public LockingClause {
        named = List.copyOf(named);
    }

    /**
     * The tables of which no other transaction is to have rows, by id; empty for all that the query reads.
     *
     * @param tokens of the statement
     * @throws FulmarException {@link ErrorCode#UNKNOWN_OBJECT} for a name that FROM does not have
     */
    public List<Integer> tables(List<Token> tokens, Catalog catalog) {
        if (lock.isEmpty()) {
            return List.of();
        }
        Map<String, Optional<Table>> known = FromTables.of(tokens, catalog);
        boolean isOfAll = named.isEmpty() || wantsAll;
        List<Optional<Table>> wanted = new ArrayList<>(isOfAll ? known.values() : List.of());
        for (Name name : named) {
            Optional<Table> table = known.get(name.token().name());
            if (table == null) {
                throw SqlErrors.at(
                        ErrorCode.UNKNOWN_OBJECT,
                        name.token().position(),
                        "OF names what FROM has, which has no " + name.token().shown()
                                + "; where a table has another name there, use that");
            }
            if (!name.isShared() && !isOfAll) {
                wanted.add(table);
            }
        }
        boolean areTables = wanted.stream().allMatch(Optional::isPresent); // a view may read any
        return areTables
                ? wanted.stream().flatMap(Optional::stream).map(Table::id).toList()
                : List.of();
    }

    /** Finds the clauses of a statement that begins as a query does; of several the strongest counts. */
    public static LockingClause of(String sql, List<Token> tokens) {
        Token first = tokens.getFirst();
        LockingClause found = new LockingClause(sql, Optional.empty(), List.of(), false);
        if (!first.isWord("SELECT") && !first.isWord("WITH") && !first.isSymbol("(")) {
            return found;
        }
        int depth = 0;
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            depth += token.nesting();
            int strength = depth == 0 && token.isWord("FOR") ? strengthEnd(tokens, i + 1) : 0;
            if (strength > 0) {
                found = found.with(tokens, i, strength);
            }
        }
        return found;
    }

    /** The word SKIP of a statement that has it. */
    public static Token skipping(List<Token> tokens) {
        for (int i = tokens.size() - 1; i > 0; i--) {
            if (tokens.get(i).isWord("LOCKED") && tokens.get(i - 1).isWord("SKIP")) {
                return tokens.get(i - 1);
            }
        }
        return tokens.getFirst();
    }

    /** The place behind the words that tell the strength; 0 if there are none. */
    private static int strengthEnd(List<Token> tokens, int start) {
        Token word = tokens.get(start);
        if (word.isWord("UPDATE") || word.isWord("SHARE")) {
            return start + 1;
        }
        if (word.isWord("KEY") && tokens.get(start + 1).isWord("SHARE")) {
            return start + 2;
        }
        boolean isNoKey = word.isWord("NO")
                && tokens.get(start + 1).isWord("KEY")
                && tokens.get(start + 2).isWord("UPDATE");
        return isNoKey ? start + 3 : 0;
    }

    private LockingClause with(List<Token> tokens, int start, int strengthEnd) {
        int end = strengthEnd;
        boolean isShared = tokens.get(strengthEnd - 1).isWord("SHARE");
        boolean isOfSome = tokens.get(end).isWord("OF");
        List<Name> names = new ArrayList<>(named);
        if (isOfSome) {
            do {
                end = nameEnd(tokens, end + 1);
                names.add(new Name(tokens.get(end - 1), isShared));
            } while (tokens.get(end).isSymbol(","));
        }
        RowLock wish = isShared ? RowLock.SHARED : RowLock.EXCLUSIVE;
        if (tokens.get(end).isWord("SKIP") && tokens.get(end + 1).isWord("LOCKED")) {
            wish = isShared ? RowLock.SHARED_OR_SKIP : RowLock.EXCLUSIVE_OR_SKIP;
            end += 2;
        } else if (tokens.get(end).isWord("NOWAIT")) {
            wish = isShared ? wish : RowLock.EXCLUSIVE_AT_ONCE;
            end++;
        }
        RowLock known = lock.orElse(wish);
        RowLock strongest = known.compareTo(wish) > 0 ? known : wish;
        StringBuilder text = new StringBuilder(query);
        for (int i = tokens.get(start).start(); i < tokens.get(end - 1).end(); i++) {
            if (text.charAt(i) != '\n') {
                text.setCharAt(i, ' ');
            }
        }
        boolean isOfAll = wantsAll || (!isShared && !isOfSome);
        return new LockingClause(text.toString(), Optional.of(strongest), names, isOfAll);
    }

    private static int nameEnd(List<Token> tokens, int start) {
        Token name = tokens.get(start);
        if (name.kind() != Token.Kind.WORD && name.kind() != Token.Kind.QUOTED_NAME) {
            throw SqlErrors.syntax(name.position(), "the name of a table follows OF, not " + name.shown());
        }
        return tokens.get(start + 1).isSymbol(".") ? nameEnd(tokens, start + 2) : start + 1;
    }
}
