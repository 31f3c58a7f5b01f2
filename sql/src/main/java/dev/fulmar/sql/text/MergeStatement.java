package dev.fulmar.sql.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The parts of a MERGE statement, split from its tokens: target table, source, ON condition and WHEN clauses. Calcite
 * parses the parts only; the planner makes of them a query, and a change for each clause.
 *
 * @param sql the statement, of which the parts are stretches
 * @param table what is changed
 * @param alias what the statement calls it
 * @param source what follows USING
 * @param condition what follows ON
 * @param clauses what is done, in the order in which it is tried
 * @param constants what is known of a source whose rows have places; empty for any other one
 * @param leftOutBy id of the index of a unique key: a row that is to be inserted is left out if one that was inserted
 *     before it has its key; empty if that is an error
 */
public record MergeStatement(
        String sql,
        Token table,
        String alias,
        Part source,
        Part condition,
        List<Clause> clauses,
        Optional<Constants> constants,
        OptionalInt leftOutBy) {
    public MergeStatement {
        clauses = List.copyOf(clauses);
    }

    public MergeStatement(String sql, Token table, String alias, Part source, Part condition, List<Clause> clauses) {
        this(sql, table, alias, source, condition, clauses, Optional.empty(), OptionalInt.empty());
    }

    /**
     * A source whose rows have an order, as those of VALUES.
     *
     * @param name of the source
     * @param place its column that numbers the rows, in whose order the changes come
     * @param sought columns of a unique key by which the condition finds what is changed, whose values may be computed
     *     twice; empty if they may not
     * @param isOfQuery whether it is a query, whose own order is that of the rows
     */
    public record Constants(String name, String place, List<String> sought, boolean isOfQuery) {
        public Constants {
            sought = List.copyOf(sought);
        }
    }

    /** Whether the value is the word DEFAULT. */
    public boolean isDefault(Part value) {
        return sql.substring(value.start(), value.end()).equalsIgnoreCase("DEFAULT");
    }

    /**
     * A stretch of the text.
     *
     * @param parameters how many there are before it
     */
    public record Part(int start, int end, int parameters) {}

    /** WHEN [NOT] MATCHED [AND condition] THEN action. */
    public record Clause(boolean matched, Optional<Part> condition, Action action) {}

    /** The action of a clause, behind THEN. */
    public sealed interface Action {}

    /** UPDATE SET. */
    public record Update(List<Token> columns, List<Part> values) implements Action {
        public Update {
            columns = List.copyOf(columns);
            values = List.copyOf(values);
        }
    }

    /** DELETE. */
    public record Delete() implements Action {}

    /** INSERT; without columns it is all of them in order. */
    public record Insert(List<Token> columns, List<Part> values) implements Action {
        public Insert {
            columns = List.copyOf(columns);
            values = List.copyOf(values);
        }
    }

    /** DO NOTHING. */
    public record Nothing() implements Action {}

    /** Takes the statement apart. */
    public static MergeStatement of(String sql, List<Token> tokens) {
        return new Reader(sql, tokens).read();
    }

    private static final class Reader {
        private final String sql;
        private final PartReader parts;

        Reader(String sql, List<Token> tokens) {
            this.sql = sql;
            this.parts = new PartReader(tokens, 0);
        }

        MergeStatement read() {
            parts.expect("MERGE");
            parts.expect("INTO");
            PartReader.TableName table = parts.tableName();
            parts.accept("AS");
            Token alias = parts.peek().isWord("USING") ? table.local() : parts.name();
            parts.expect("USING");
            Part source = parts.until("ON");
            parts.expect("ON");
            Part condition = parts.until("WHEN");
            List<Clause> clauses = new ArrayList<>();
            do {
                clauses.add(clause());
            } while (parts.peek().isWord("WHEN"));
            if (parts.peek().kind() != Token.Kind.END) {
                throw parts.unexpected("WHEN or the end of the statement");
            }
            return new MergeStatement(sql, table.name(), alias.name(), source, condition, clauses);
        }

        private Clause clause() {
            parts.expect("WHEN");
            boolean matched = !parts.accept("NOT");
            parts.expect("MATCHED");
            Optional<Part> condition = parts.accept("AND") ? Optional.of(parts.until("THEN")) : Optional.empty();
            parts.expect("THEN");
            return new Clause(matched, condition, action(matched));
        }

        private Action action(boolean matched) {
            if (parts.accept("DO")) {
                parts.expect("NOTHING");
                return new Nothing();
            }
            if (matched && parts.accept("DELETE")) {
                return new Delete();
            }
            if (matched && parts.accept("UPDATE")) {
                parts.expect("SET");
                return update();
            }
            if (!matched && parts.accept("INSERT")) {
                return insert();
            }
            throw parts.unexpected(matched ? "UPDATE SET, DELETE or DO NOTHING" : "INSERT or DO NOTHING");
        }

        private Update update() {
            List<Token> columns = new ArrayList<>();
            List<Part> values = new ArrayList<>();
            do {
                columns.add(parts.name());
                parts.expectSymbol("=");
                values.add(parts.until(",", "WHEN"));
            } while (parts.acceptSymbol(","));
            return new Update(columns, values);
        }

        private Insert insert() {
            List<Token> columns = new ArrayList<>();
            if (parts.acceptSymbol("(")) {
                do {
                    columns.add(parts.name());
                } while (parts.acceptSymbol(","));
                parts.expectSymbol(")");
            }
            parts.expect("VALUES");
            parts.expectSymbol("(");
            List<Part> values = new ArrayList<>();
            do {
                values.add(parts.until(",", ")"));
            } while (parts.acceptSymbol(","));
            parts.expectSymbol(")");
            return new Insert(columns, values);
        }
    }
}
