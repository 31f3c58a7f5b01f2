package dev.fulmar.sql.text;

import java.util.List;

/**
 * Gives functions that Calcite's grammar reads in a way of its own another name. It takes the second argument of
 * DATE_TRUNC for a unit, as BigQuery has it. The name is as long as what it stands for, so all else keeps its place.
 */
public final class FunctionNames {
    /** Of DATE_TRUNC, under a name that no client writes. */
    public static final String TRUNCATION = "#TRUNC";

    private static final String DATE_TRUNC = "DATE_TRUNC";

    private FunctionNames() {}

    /** The statement as the grammar knows it. */
    public static String written(String sql) {
        return TiesClause.written(withoutTruncation(sql));
    }

    private static String withoutTruncation(String sql) {
        if (!ZoneOperators.mentions(sql, DATE_TRUNC)) {
            return sql;
        }
        StringBuilder text = new StringBuilder(sql);
        List<Token> tokens = Tokenizer.tokens(sql);
        for (int i = 0; i + 1 < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.isWord(DATE_TRUNC) && tokens.get(i + 1).isSymbol("(")) {
                String name = '"' + TRUNCATION + '"';
                text.replace(token.start(), token.end(), name + " ".repeat(DATE_TRUNC.length() - name.length()));
            }
        }
        return text.toString();
    }
}
