package dev.fulmar.sql.text;

import java.util.List;

/**
 * Writes operators of documents with characters that Calcite's grammar knows, in an order that no statement has. They
 * keep their length, so all else keeps its place.
 */
public final class JsonSymbols {
    private JsonSymbols() {}

    /** The statement as the grammar's words are. */
    public static String written(String sql) {
        if (!mayHaveAny(sql)) {
            return sql;
        }
        StringBuilder text = new StringBuilder(sql);
        List<Token> tokens = Tokenizer.tokens(sql);
        for (int i = 0; i + 1 < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.end() == tokens.get(i + 1).start()) {
                String known = known(token.text() + tokens.get(i + 1).text());
                if (!known.isEmpty()) {
                    text.replace(token.start(), token.start() + known.length(), known);
                }
            }
        }
        return text.toString();
    }

    private static boolean mayHaveAny(String sql) {
        return sql.indexOf('#') >= 0 || sql.indexOf('@') >= 0 || sql.indexOf('&') >= 0;
    }

    private static String known(String symbols) {
        return switch (symbols) {
            case "#>" -> "^>";
            case "#-" -> "^<";
            case "@>" -> "^=";
            case "<@" -> "<^";
            case "&&" -> "^^";
            default -> "";
        };
    }
}
