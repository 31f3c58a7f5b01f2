package dev.fulmar.sql.text;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * ON CONFLICT of an INSERT: what becomes of a row whose unique key is there.
 *
 * @param text of the statement
 * @param table into which rows are inserted
 * @param alias what the clause calls that table
 * @param position of the clause
 * @param key columns of the unique key; empty if none are named
 * @param constraint name of the unique key, instead of its columns
 * @param update the change of the row that is there; empty if it stays
 */
public record ConflictClause(
        String text,
        Token table,
        Token alias,
        Position position,
        List<Token> key,
        Optional<Token> constraint,
        Optional<Update> update) {
    public ConflictClause {
        key = List.copyOf(key);
    }

    /** DO UPDATE. */
    public record Update(List<Assignment> assignments, Optional<MergeStatement.Part> condition) {
        public Update {
            assignments = List.copyOf(assignments);
        }
    }

    /** SET column = value. */
    public record Assignment(Token column, MergeStatement.Part value) {}

    /**
     * A statement without the clause.
     *
     * @param text with blanks for the clause, and for an alias of the table
     * @param tokens of that
     * @param alias of the table, if there is one
     */
    public record Split(String text, List<Token> tokens, Optional<Token> alias, Optional<ConflictClause> clause) {
        public Split {
            tokens = List.copyOf(tokens);
        }
    }

    /** Takes the clause, and the alias, out of an INSERT; any other statement stays as it is. */
    public static Split split(String sql, List<Token> tokens) {
        if (tokens.size() < 3
                || !tokens.getFirst().isWord("INSERT")
                || !tokens.get(1).isWord("INTO")) {
            return new Split(sql, tokens, Optional.empty(), Optional.empty());
        }
        PartReader head = new PartReader(tokens, 2);
        PartReader.TableName table = head.tableName();
        int aliasPlace = head.place();
        Optional<Token> alias = head.accept("AS") ? Optional.of(head.name()) : Optional.empty();
        int end = tokens.indexOf(ReturningClause.end(tokens));
        int start = start(tokens, end);
        if (alias.isEmpty() && start == end) {
            return new Split(sql, tokens, alias, Optional.empty());
        }
        List<Token> rest = new ArrayList<>(tokens);
        StringBuilder text = new StringBuilder(sql);
        Optional<ConflictClause> clause = Optional.empty();
        if (start < end) {
            clause = Optional.of(new Reader(sql, tokens, start, end).read(table, alias));
            take(text, rest, start, end);
        }
        if (alias.isPresent()) {
            take(text, rest, aliasPlace, head.place());
        }
        return new Split(text.toString(), rest, alias, clause);
    }

    private static void take(StringBuilder text, List<Token> tokens, int from, int to) {
        OverridingClause.blank(
                text, tokens.get(from).start(), tokens.get(to - 1).end());
        tokens.subList(from, to).clear();
    }

    /** The place of the clause, which is that of the end if there is none. */
    private static int start(List<Token> tokens, int end) {
        int depth = 0;
        for (int i = 2; i + 2 < end; i++) {
            Token token = tokens.get(i);
            Token behind = tokens.get(i + 2);
            depth += token.nesting();
            boolean isClause = depth == 0
                    && token.isWord("ON")
                    && tokens.get(i + 1).isWord("CONFLICT")
                    && (behind.isSymbol("(") || behind.isWord("ON") || behind.isWord("DO"));
            if (isClause) {
                return i;
            }
        }
        return end;
    }

    private static final class Reader {
        private final String sql;
        private final List<Token> tokens;
        private final PartReader parts;

        Reader(String sql, List<Token> all, int start, int end) {
            this.sql = sql;
            Token last = all.get(end);
            tokens = new ArrayList<>(all.subList(0, end));
            tokens.add(new Token(Token.Kind.END, "", last.start(), last.start(), last.position()));
            parts = new PartReader(tokens, start);
        }

        ConflictClause read(PartReader.TableName table, Optional<Token> alias) {
            Position position = parts.peek().position();
            parts.expect("ON");
            parts.expect("CONFLICT");
            List<Token> key = new ArrayList<>();
            Optional<Token> constraint = Optional.empty();
            if (parts.acceptSymbol("(")) {
                key.addAll(key());
            } else if (parts.accept("ON")) {
                parts.expect("CONSTRAINT");
                constraint = Optional.of(parts.name());
            }
            parts.expect("DO");
            Optional<Update> update = Optional.empty();
            if (!parts.accept("NOTHING")) {
                if (!parts.accept("UPDATE")) {
                    throw parts.unexpected("NOTHING or UPDATE");
                }
                if (key.isEmpty() && constraint.isEmpty()) {
                    throw SqlErrors.syntax(
                            position,
                            "ON CONFLICT DO UPDATE needs the columns of a unique key: ON CONFLICT (columns) DO UPDATE");
                }
                parts.expect("SET");
                update = Optional.of(update());
            }
            if (parts.peek().kind() != Token.Kind.END) {
                throw parts.unexpected("the end of the statement");
            }
            return new ConflictClause(
                    sql, table.name(), alias.orElse(table.local()), position, key, constraint, update);
        }

        private List<Token> key() {
            List<Token> key = new ArrayList<>();
            do {
                Token place = parts.peek();
                key.add(parts.name());
                if (!parts.peek().isSymbol(",") && !parts.peek().isSymbol(")")) {
                    throw notPlain(place);
                }
            } while (parts.acceptSymbol(","));
            parts.expectSymbol(")");
            if (parts.peek().isWord("WHERE")) {
                throw notPlain(parts.peek());
            }
            return key;
        }

        private static FulmarException notPlain(Token place) {
            return SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    place.position(),
                    "ON CONFLICT takes the columns of a unique key, without expressions, collations and conditions");
        }

        private Update update() {
            List<Assignment> assignments = parts.assignments("WHERE");
            Optional<MergeStatement.Part> condition =
                    parts.accept("WHERE") ? Optional.of(parts.until()) : Optional.empty();
            return new Update(assignments, condition);
        }
    }
}
