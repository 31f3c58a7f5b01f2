package dev.fulmar.sql.text;

import java.util.List;

/**
 * Rewrites in a statement's text what Calcite's grammar does not know: OVERRIDING SYSTEM VALUE and USER VALUE, SET
 * column = DEFAULT, and DEFAULT VALUES.
 *
 * @param text the statement in words that it knows, every word where it was
 * @param values those that count for columns which draw numbers
 */
public record OverridingClause(String text, Values values) {
    /** Values of columns that draw numbers. */
    public enum Values {
        /** The statement's, but for columns that are always drawn, which it gives none. */
        USUAL,
        /** The statement's, for all columns. */
        GIVEN,
        /** Numbers that are drawn, whatever the statement gives. */
        DRAWN
    }

    /** The name of a function that stands for the default of the column that it is assigned to. */
    public static final String DEFAULT = "#D";

    private static final String CALL = "\"" + DEFAULT + "\"()";
    private static final String ROW = "VALUES(" + CALL + ")";

    /** Takes the words out of a write; any other statement stays as it is. */
    public static OverridingClause of(String sql, List<Token> tokens) {
        boolean isWrite =
                tokens.getFirst().isWord("INSERT") || tokens.getFirst().isWord("UPSERT");
        boolean isUpdate = tokens.getFirst().isWord("UPDATE");
        StringBuilder text = new StringBuilder(sql);
        Values values = Values.USUAL;
        int depth = 0;
        for (int i = 0; i + 2 < tokens.size() && (isWrite || isUpdate); i++) {
            Token token = tokens.get(i);
            depth += token.nesting();
            if (depth == 0 && isClause(tokens, i)) {
                values = tokens.get(i + 1).isWord("SYSTEM") ? Values.GIVEN : Values.DRAWN;
                blank(text, token.start(), tokens.get(i + 2).end());
            } else if (depth == 0 && isWrite && isRowOfDefaults(tokens, i)) {
                blank(text, token.start(), tokens.get(i + 1).end());
                text.replace(token.start(), token.start() + ROW.length(), ROW);
            } else if (depth == 0 && isUpdate && isAssignedDefault(tokens, i) && isWhole(tokens.get(i + 2))) {
                Token word = tokens.get(i + 1);
                blank(text, word.start(), word.end());
                text.replace(word.start(), word.start() + CALL.length(), CALL);
            }
        }
        return new OverridingClause(text.toString(), values);
    }

    private static boolean isClause(List<Token> tokens, int place) {
        return tokens.get(place).isWord("OVERRIDING")
                && (tokens.get(place + 1).isWord("SYSTEM")
                        || tokens.get(place + 1).isWord("USER"))
                && tokens.get(place + 2).isWord("VALUE");
    }

    private static boolean isRowOfDefaults(List<Token> tokens, int place) {
        return tokens.get(place).isWord("DEFAULT") && tokens.get(place + 1).isWord("VALUES");
    }

    private static boolean isAssignedDefault(List<Token> tokens, int place) {
        return tokens.get(place).isSymbol("=") && tokens.get(place + 1).isWord("DEFAULT");
    }

    /** Whether a value ends before the token. */
    private static boolean isWhole(Token next) {
        return next.isSymbol(",") || next.isWord("WHERE") || next.isWord("RETURNING") || next.kind() == Token.Kind.END;
    }

    /** Puts blanks in the place of words, so that those behind them stay where they are. */
    static void blank(StringBuilder text, int start, int end) {
        for (int i = start; i < end; i++) {
            if (text.charAt(i) != '\n') {
                text.setCharAt(i, ' ');
            }
        }
    }
}
