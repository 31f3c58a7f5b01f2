package dev.fulmar.sql.text;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * {@code FETCH FIRST n ROWS WITH TIES}, which the grammar does not know. It is read as ROWS ONLY, and the place of its
 * number tells it apart. What is written instead is as long, so all else keeps its place. Statements of PostgreSQL's
 * clients have {@code "#TIES"}: a count of 0 takes nothing.
 */
public final class TiesClause {
    private static final String TIES = "TIES";
    private static final String ONLY = "ONLY";

    /** TIES of PostgreSQL's clients. */
    private static final String MARKED = "\"#TIES\"";

    private TiesClause() {}

    /** Whether a statement may have the clause. */
    public static boolean isMentioned(String sql) {
        return ZoneOperators.mentions(sql, TIES);
    }

    /** The statement as the grammar knows it. */
    static String written(String sql) {
        if (!isMentioned(sql)) {
            return sql;
        }
        StringBuilder text = new StringBuilder(sql);
        List<Token> tokens = Tokenizer.tokens(sql);
        for (int i = 0; i < tokens.size(); i++) {
            if (isClause(tokens, i)) {
                Token with = tokens.get(i + 4);
                Token ties = tokens.get(i + 5);
                text.replace(with.start(), with.end(), ONLY);
                text.replace(ties.start(), ties.end(), " ".repeat(ties.end() - ties.start()));
            }
        }
        return text.toString();
    }

    /** The places of the numbers of such clauses. */
    public static Set<Position> numbers(String sql) {
        return numbers(sql, false);
    }

    /** Those of clauses of which a count of 0 takes nothing. */
    public static Set<Position> markedNumbers(String sql) {
        return numbers(sql, true);
    }

    private static Set<Position> numbers(String sql, boolean areMarked) {
        Set<Position> places = new HashSet<>();
        List<Token> tokens = Tokenizer.tokens(sql);
        for (int i = 0; i < tokens.size(); i++) {
            if (isClause(tokens, i) && (!areMarked || tokens.get(i + 5).text().equals(MARKED))) {
                places.add(tokens.get(i + 2).position());
            }
        }
        return places;
    }

    private static boolean isClause(List<Token> tokens, int place) {
        return place + 5 < tokens.size()
                && tokens.get(place).isWord("FETCH")
                && (tokens.get(place + 1).isWord("FIRST")
                        || tokens.get(place + 1).isWord("NEXT"))
                && (tokens.get(place + 3).isWord("ROW") || tokens.get(place + 3).isWord("ROWS"))
                && tokens.get(place + 4).isWord("WITH")
                && (tokens.get(place + 5).isWord(TIES)
                        || tokens.get(place + 5).text().equals(MARKED));
    }
}
