package dev.fulmar.sql.calcite;

import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * Clauses and operators that other databases have, and what Fulmar has instead. They are looked for in texts that the
 * grammar does not know.
 */
final class ForeignClauses {

    /** The grammar looks ahead, and so gives up a few words before or behind what it does not know. */
    private static final int REACH = 2;

    private final List<Token> tokens;

    private ForeignClauses(List<Token> tokens) {
        this.tokens = tokens;
    }

    /** Says what to write instead, at the clause, if one begins near the place where the grammar gave up. */
    static Optional<FulmarException> refusal(List<Token> tokens, @Nullable SqlParserPos place) {
        ForeignClauses clauses = new ForeignClauses(tokens);
        int given = clauses.tokenAt(place);
        int last = Math.min(given + REACH, tokens.size() - 2);
        for (int i = Math.max(given - REACH, 0); i <= last; i++) {
            String instead = clauses.instead(i);
            if (!instead.isEmpty()) {
                return Optional.of(SqlErrors.syntax(tokens.get(i).position(), instead));
            }
        }
        return Optional.empty();
    }

    private int tokenAt(@Nullable SqlParserPos place) {
        Position wanted = place == null ? new Position(1, 1) : new Position(place.getLineNum(), place.getColumnNum());
        int at = 0;
        while (at < tokens.size() - 1 && tokens.get(at).position().isBefore(wanted)) {
            at++;
        }
        return at;
    }

    private boolean isAt(int place, String... words) {
        for (int i = 0; i < words.length; i++) {
            if (place + i < 0
                    || place + i >= tokens.size()
                    || !(tokens.get(place + i).isWord(words[i])
                            || tokens.get(place + i).isSymbol(words[i]))) {
                return false;
            }
        }
        return true;
    }

    private boolean begins(String word) {
        return tokens.getFirst().isWord(word);
    }

    /** Empty if what stands there is no such clause. */
    private String instead(int place) {
        Token token = tokens.get(place);
        if (token.isWord("DATETIME") && (isAt(place - 1, "AS") || isAt(place - 1, ":"))) {
            return "DATETIME is a type of columns only; TIMESTAMP is the same, CAST(x AS TIMESTAMP)";
        }
        return switch (token.kind()) {
            case SYMBOL -> ofSymbol(place, token);
            case WORD -> begins("SELECT") || begins("WITH") ? ofQuery(place) : ofWrite(place);
            case QUOTED_NAME, STRING, NUMBER, END -> "";
        };
    }

    private String ofSymbol(int place, Token token) {
        return switch (token.text()) {
            case "==" -> "there is no operator ==; = compares";
            case "[" ->
                isAt(place - 1, "ARRAY") || isAt(place - 1, "MAP")
                        ? ""
                        : "names are quoted with double quotes: \"name\"";
            case "`" -> "names are quoted with double quotes: \"name\"";
            case "@", ":" ->
                isAt(place - 1, ":") || isAt(place + 1, ":")
                        ? "" // of a cast
                        : "there are no variables; a ? is a parameter, whose value is sent with the statement";
            case "(" ->
                begins("UPDATE") && isAt(place - 1, "SET")
                        ? "SET takes as many values as columns, or one query: SET (a, b) = (1, 2)"
                        : "";
            default -> "";
        };
    }

    private String ofQuery(int place) {
        if (isAt(place, "FOR", "UPDATE") || isAt(place, "FOR", "SHARE")) {
            return "FOR " + tokens.get(place + 1).text()
                    + " is needless here, for a transaction runs alone on its partitions; leave it out";
        }
        if (isAt(place, "LIMIT") && tokens.get(place + 1).kind() != Token.Kind.NUMBER) {
            return "LIMIT takes a number of rows, from 0, or a parameter; leave it out for all rows";
        }
        if (isAt(place, "IN", "(", ")")) {
            return "IN needs at least one value in its parentheses";
        }
        if (isAt(place, "TOP") && isAt(place - 1, "SELECT")) {
            return "there is no TOP; LIMIT n at the end of the query takes the first rows";
        }
        if (isAt(place, "TABLESAMPLE")) {
            return "TABLESAMPLE is not supported; a condition on a key chooses some of the rows";
        }
        if (isAt(place, "WITH", "TIES")) {
            return "WITH TIES stands behind a number of rows: ORDER BY key FETCH FIRST 3 ROWS WITH TIES";
        }
        return "";
    }

    private String ofWrite(int place) {
        if (isAt(place, "ON", "CONFLICT")) {
            return "ON CONFLICT is a clause of INSERT: ON CONFLICT [(columns)] DO NOTHING, or ON CONFLICT (columns) DO"
                    + " UPDATE SET column = value";
        }
        if (isAt(place, "ON", "DUPLICATE")) {
            return "there is no ON DUPLICATE; INSERT ... ON CONFLICT (columns) DO UPDATE changes the row with the same key";
        }
        if (isAt(place, "IN", "(", ")")) {
            return "IN needs at least one value in its parentheses";
        }
        if (isAt(place, "LIMIT")) {
            return "a write takes no LIMIT; WHERE key IN (SELECT key ... LIMIT n) names some of the rows";
        }
        if (begins("INSERT") && isAt(place, "SET")) {
            return "INSERT takes no SET; write INSERT INTO t (columns) VALUES (values)";
        }
        return "";
    }
}
