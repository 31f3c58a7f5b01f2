package dev.fulmar.sql.text;

import java.util.List;

/** Completes a CREATE TABLE that does not say where rows are. */
public final class PlaceClause {
    private PlaceClause() {}

    /**
     * The text with the clause, if it is a CREATE TABLE without one, perhaps behind EXPLAIN.
     *
     * @param tokens of the text, with an end
     */
    public static String added(String sql, List<Token> tokens, String clause) {
        int table = table(tokens);
        if (table < 0) {
            return sql;
        }
        int depth = 0;
        boolean isNamed = false;
        for (int i = table + 1; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.isSymbol("(")) {
                depth++;
            } else if (token.isSymbol(")")) {
                depth--;
            } else if (depth == 0 && isNamed && isPlacement(token)) {
                return sql;
            } else if (depth == 0 && isNamed && token.isWord("AS")) {
                return sql.substring(0, token.start()) + clause + " " + sql.substring(token.start());
            }
            isNamed |= !token.isWord("IF") && !token.isWord("NOT") && !token.isWord("EXISTS");
        }
        return sql.substring(0, tokens.getLast().start()) + "\n" + clause;
    }

    private static boolean isPlacement(Token token) {
        return token.isWord("PARTITION") || token.isWord("PARTITIONED") || token.isWord("REPLICATED");
    }

    /** The place of TABLE behind CREATE; negative in any other statement. */
    private static int table(List<Token> tokens) {
        int first = 0;
        if (tokens.getFirst().isWord("EXPLAIN")) {
            boolean isPlan = tokens.size() > 3
                    && tokens.get(1).isWord("PLAN")
                    && tokens.get(2).isWord("FOR");
            first = isPlan ? 3 : 1;
        }
        return tokens.size() > first + 2
                        && tokens.get(first).isWord("CREATE")
                        && tokens.get(first + 1).isWord("TABLE")
                ? first + 1
                : -1;
    }
}
