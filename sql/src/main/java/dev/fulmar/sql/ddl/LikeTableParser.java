package dev.fulmar.sql.ddl;

import dev.fulmar.sql.text.Token;
import dev.fulmar.sql.text.Tokenizer;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * {@code CREATE TABLE a (LIKE b)}, which makes a table with the columns of another one: their names, types and NOT
 * NULL. It is CREATE TABLE AS of a query that yields no row.
 */
public final class LikeTableParser {
    /** Parts of columns that no table here has. */
    private static final Set<String> WITHOUT_MEANING = Set.of("COMMENTS", "STORAGE", "STATISTICS", "COMPRESSION");

    private final String sql;
    private final List<Token> tokens;
    private int place;

    private LikeTableParser(String sql, List<Token> tokens) {
        this.sql = sql;
        this.tokens = tokens;
    }

    /**
     * The table that the statement is to make; empty for any other statement.
     *
     * @param schemas names of schemas
     */
    public static Optional<TableAsParser.TableAs> parse(String sql, List<Token> tokens, Set<String> schemas) {
        return new LikeTableParser(sql, tokens)
                .query()
                .flatMap(query -> TableAsParser.parse(query, Tokenizer.tokens(query), schemas))
                .map(TableAsParser.TableAs::alike);
    }

    /** The token at the place; behind the end that of the end. */
    private Token token(int at) {
        return tokens.get(Math.min(at, tokens.size() - 1));
    }

    private boolean accept(String word) {
        boolean isIt = token(place).isWord(word) || token(place).isSymbol(word);
        place += isIt ? 1 : 0;
        return isIt;
    }

    private boolean name() {
        do {
            Token.Kind kind = token(place).kind();
            if (kind != Token.Kind.WORD && kind != Token.Kind.QUOTED_NAME) {
                return false;
            }
            place++;
        } while (accept("."));
        return true;
    }

    /** The statement as one of a query. */
    private Optional<String> query() {
        if (!accept("CREATE") || !accept("TABLE")) {
            return Optional.empty();
        }
        boolean isLenient = accept("IF");
        if (isLenient && (!accept("NOT") || !accept("EXISTS"))) {
            return Optional.empty();
        }
        if (!name()) {
            return Optional.empty();
        }
        int nameEnd = tokens.get(place - 1).end();
        if (!accept("(") || !accept("LIKE")) {
            return Optional.empty();
        }
        int other = place;
        boolean isType = token(place + 1).isSymbol(")") && TypeParser.isType(token(place));
        if (isType || !name()) {
            return Optional.empty();
        }
        String table =
                sql.substring(tokens.get(other).start(), tokens.get(place - 1).end());
        while (token(place).isWord("INCLUDING") || token(place).isWord("EXCLUDING")) {
            boolean adds = accept("INCLUDING") || !accept("EXCLUDING");
            if (adds && !WITHOUT_MEANING.contains(token(place).name())) {
                return Optional.empty();
            }
            place++;
        }
        if (!accept(")")) {
            return Optional.empty();
        }
        String placement =
                sql.substring(tokens.get(place - 1).end(), tokens.getLast().start());
        return Optional.of(
                sql.substring(0, nameEnd) + " " + placement + " AS SELECT * FROM " + table + " WITH NO DATA");
    }
}
