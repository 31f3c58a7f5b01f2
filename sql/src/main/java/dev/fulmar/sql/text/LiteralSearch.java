package dev.fulmar.sql.text;

import dev.fulmar.engine.spi.SqlFrontend.Generalised;
import dev.fulmar.engine.spi.SqlFrontend.Literal;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the literals of a statement that a parameter can stand for. They are compared with a column, are set in one, or
 * are a value of VALUES. Elsewhere a literal says more than its value: a place in ORDER BY, a length, the type of an
 * expression.
 */
public final class LiteralSearch {
    /**
     * Longer texts are not looked through: they are scripts and loads rather than something that is sent again and
     * again.
     */
    private static final int MOST_CHARACTERS = 16_384;

    private static final int MOST_LITERALS = 1_000;
    private static final int MOST_DIGITS = 18;
    private static final Set<String> COMPARISONS = Set.of("=", "<", ">", "<=", ">=", "<>", "!=");
    private static final Set<String> BEFORE_CONDITION = Set.of("WHERE", "AND", "OR", "ON", "NOT", "SET");
    private static final Set<String> BEHIND_CONDITION = Set.of(
            "AND",
            "OR",
            "WHERE",
            "GROUP",
            "ORDER",
            "LIMIT",
            "OFFSET",
            "FETCH",
            "HAVING",
            "RETURNING",
            "UNION",
            "INTERSECT",
            "EXCEPT",
            "JOIN",
            "LEFT",
            "RIGHT",
            "INNER",
            "FULL",
            "CROSS");

    private final String sql;
    private final List<Token> tokens;
    private boolean isUpdate;
    private final StringBuilder general = new StringBuilder();
    private final List<Literal> literals = new ArrayList<>();
    private int copied;

    private LiteralSearch(String sql, List<Token> tokens) {
        this.sql = sql;
        this.tokens = tokens;
        this.isUpdate = tokens.getFirst().isWord("UPDATE");
    }

    /** The statement with parameters, if it is a query or a write that has such literals and no parameters yet. */
    public static Optional<Generalised> generalise(String sql) {
        if (sql.length() > MOST_CHARACTERS) {
            return Optional.empty();
        }
        List<Token> tokens;
        try {
            tokens = Tokenizer.tokens(sql);
        } catch (FulmarException e) { // whoever compiles the text says what is wrong with it
            return Optional.empty();
        }
        Token first = tokens.getFirst();
        boolean isInsert = first.isWord("INSERT") || first.isWord("UPSERT");
        boolean isOther = first.isWord("SELECT") || first.isWord("UPDATE") || first.isWord("DELETE");
        if ((!isInsert && !isOther) || tokens.stream().anyMatch(token -> token.isSymbol("?"))) {
            return Optional.empty();
        }
        return new LiteralSearch(sql, tokens).search(isInsert);
    }

    private Optional<Generalised> search(boolean isInsert) {
        int depth = 0;
        boolean inValues = false;
        for (int i = 1; i < tokens.size() - 1; i++) {
            Token token = tokens.get(i);
            if (token.isSymbol("(")) {
                depth++;
            } else if (token.isSymbol(")")) {
                depth--;
            } else if (isInsert && depth == 0 && token.isWord("VALUES")) {
                inValues = true;
            } else if (isInsert && depth == 0 && isConflict(i)) {
                inValues = false;
                isUpdate = true; // its expressions are those of an UPDATE
            } else if (token.kind() == Token.Kind.NUMBER || token.kind() == Token.Kind.STRING) {
                int start = startOf(i);
                if (inValues ? depth == 1 && isValue(start, i) : isCompared(start, i)) {
                    take(start, i);
                }
            }
        }
        if (literals.isEmpty() || literals.size() > MOST_LITERALS) {
            return Optional.empty();
        }
        general.append(sql, copied, sql.length());
        return Optional.of(new Generalised(general.toString(), literals));
    }

    private boolean isConflict(int place) {
        return tokens.get(place).isWord("ON") && tokens.get(place + 1).isWord("CONFLICT");
    }

    /** The token that the literal begins with: its minus, if there is one. */
    private int startOf(int literal) {
        return tokens.get(literal).kind() == Token.Kind.NUMBER
                        && tokens.get(literal - 1).isSymbol("-")
                ? literal - 1
                : literal;
    }

    private boolean isValue(int start, int end) {
        Token before = tokens.get(start - 1);
        Token behind = tokens.get(end + 1);
        return (before.isSymbol("(") || before.isSymbol(",")) && (behind.isSymbol(",") || behind.isSymbol(")"));
    }

    private boolean isCompared(int start, int end) {
        if (start < 3) {
            return false;
        }
        Token operator = tokens.get(start - 1);
        if (operator.kind() != Token.Kind.SYMBOL || !COMPARISONS.contains(operator.text())) {
            return false;
        }
        int column = start - 2;
        while (column > 2
                && isName(tokens.get(column))
                && tokens.get(column - 1).isSymbol(".")) {
            column -= 2;
        }
        return isName(tokens.get(column)) && beginsCondition(column - 1) && endsCondition(tokens.get(end + 1));
    }

    private static boolean isName(Token token) {
        return token.kind() == Token.Kind.WORD || token.kind() == Token.Kind.QUOTED_NAME;
    }

    /** Whether a condition or an assignment can begin behind the token. */
    private boolean beginsCondition(int before) {
        int at = before;
        while (at > 0 && tokens.get(at).isSymbol("(")) {
            at--;
        }
        Token token = tokens.get(at);
        return (token.kind() == Token.Kind.WORD && BEFORE_CONDITION.contains(token.name()))
                || (isUpdate && at == before && token.isSymbol(","));
    }

    private boolean endsCondition(Token token) {
        return switch (token.kind()) {
            case END -> true;
            case WORD -> BEHIND_CONDITION.contains(token.name());
            case SYMBOL -> token.isSymbol(")") || token.isSymbol(";") || (isUpdate && token.isSymbol(","));
            case QUOTED_NAME, STRING, NUMBER -> false;
        };
    }

    private void take(int start, int end) {
        Literal literal = literal(tokens.get(end), start < end);
        if (literal != null) {
            general.append(sql, copied, tokens.get(start).start()).append('?');
            copied = tokens.get(end).end();
            literals.add(literal);
        }
    }

    /** Null for what is better left to the planner: approximate numbers, and ones with many digits. */
    private static @Nullable Literal literal(Token token, boolean negative) {
        String text = token.text();
        if (token.kind() == Token.Kind.STRING) {
            return new Literal.Text(text.substring(1, text.length() - 1).replace("''", "'"));
        }
        int point = text.indexOf('.');
        boolean isPlain =
                text.chars().allMatch(c -> (c >= '0' && c <= '9') || c == '.') && text.length() <= MOST_DIGITS;
        if (!isPlain || point != text.lastIndexOf('.')) {
            return null;
        }
        if (point < 0) {
            long value = Long.parseLong(text);
            return new Literal.Whole(negative ? -value : value);
        }
        BigDecimal value = new BigDecimal(text);
        return new Literal.Fraction(negative ? value.negate() : value);
    }
}
