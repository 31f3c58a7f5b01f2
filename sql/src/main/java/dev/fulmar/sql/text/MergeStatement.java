package dev.fulmar.sql.text;

import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
 */
public record MergeStatement(String sql, Token table, String alias, Part source, Part condition, List<Clause> clauses) {
    public MergeStatement {
        clauses = List.copyOf(clauses);
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
        private final List<Token> tokens;
        private int next;
        private int parameters;

        Reader(String sql, List<Token> tokens) {
            this.sql = sql;
            this.tokens = tokens;
        }

        MergeStatement read() {
            expect("MERGE");
            expect("INTO");
            int place = next;
            Token table = name();
            Token own = table;
            if (QualifiedName.length(tokens, place) > 1) {
                table = QualifiedName.at(tokens, place);
                expectSymbol(".");
                own = name();
            }
            accept("AS");
            Token alias = peek().isWord("USING") ? own : name();
            expect("USING");
            Part source = until("ON");
            expect("ON");
            Part condition = until("WHEN");
            List<Clause> clauses = new ArrayList<>();
            do {
                clauses.add(clause());
            } while (peek().isWord("WHEN"));
            if (peek().kind() != Token.Kind.END) {
                throw unexpected("WHEN or the end of the statement");
            }
            return new MergeStatement(sql, table, alias.name(), source, condition, clauses);
        }

        private Clause clause() {
            expect("WHEN");
            boolean matched = !accept("NOT");
            expect("MATCHED");
            Optional<Part> condition = accept("AND") ? Optional.of(until("THEN")) : Optional.empty();
            expect("THEN");
            return new Clause(matched, condition, action(matched));
        }

        private Action action(boolean matched) {
            if (accept("DO")) {
                expect("NOTHING");
                return new Nothing();
            }
            if (matched && accept("DELETE")) {
                return new Delete();
            }
            if (matched && accept("UPDATE")) {
                expect("SET");
                return update();
            }
            if (!matched && accept("INSERT")) {
                return insert();
            }
            throw unexpected(matched ? "UPDATE SET, DELETE or DO NOTHING" : "INSERT or DO NOTHING");
        }

        private Update update() {
            List<Token> columns = new ArrayList<>();
            List<Part> values = new ArrayList<>();
            do {
                columns.add(name());
                expectSymbol("=");
                values.add(until(",", "WHEN"));
            } while (acceptSymbol(","));
            return new Update(columns, values);
        }

        private Insert insert() {
            List<Token> columns = new ArrayList<>();
            if (acceptSymbol("(")) {
                do {
                    columns.add(name());
                } while (acceptSymbol(","));
                expectSymbol(")");
            }
            expect("VALUES");
            expectSymbol("(");
            List<Part> values = new ArrayList<>();
            do {
                values.add(until(",", ")"));
            } while (acceptSymbol(","));
            expectSymbol(")");
            return new Insert(columns, values);
        }

        /** The part up to one of the words or symbols, but for those in parentheses and in CASE ... END. */
        private Part until(String... ends) {
            Token first = peek();
            int before = parameters;
            int depth = 0;
            while (peek().kind() != Token.Kind.END && !(depth == 0 && isOneOf(peek(), ends))) {
                Token token = take();
                depth += opens(token) ? 1 : closes(token) ? -1 : 0;
            }
            int end = next == 0 ? first.start() : tokens.get(next - 1).end();
            if (end <= first.start()) {
                throw unexpected("an expression");
            }
            return new Part(first.start(), end, before);
        }

        private static boolean isOneOf(Token token, String... ends) {
            for (String end : ends) {
                if (token.isWord(end) || token.isSymbol(end)) {
                    return true;
                }
            }
            return false;
        }

        private static boolean opens(Token token) {
            return token.isSymbol("(") || token.isWord("CASE");
        }

        private static boolean closes(Token token) {
            return token.isSymbol(")") || token.isWord("END");
        }

        private Token peek() {
            return tokens.get(next);
        }

        private Token take() {
            Token token = tokens.get(next);
            parameters += token.isSymbol("?") ? 1 : 0;
            next++;
            return token;
        }

        private Token name() {
            if (peek().kind() != Token.Kind.WORD && peek().kind() != Token.Kind.QUOTED_NAME) {
                throw unexpected("a name");
            }
            return take();
        }

        private boolean accept(String word) {
            boolean comes = peek().isWord(word);
            next += comes ? 1 : 0;
            return comes;
        }

        private boolean acceptSymbol(String symbol) {
            boolean comes = peek().isSymbol(symbol);
            next += comes ? 1 : 0;
            return comes;
        }

        private void expect(String word) {
            if (!accept(word)) {
                throw unexpected(word);
            }
        }

        private void expectSymbol(String symbol) {
            if (!acceptSymbol(symbol)) {
                throw unexpected("'" + symbol + "'");
            }
        }

        private FulmarException unexpected(String wanted) {
            return SqlErrors.syntax(peek().position(), "expected " + wanted + ", found " + peek().shown());
        }
    }
}
