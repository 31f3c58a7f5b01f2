package dev.fulmar.postgres.dialect;

/**
 * Writes operators of documents that are parameters to the engine. The engine knows such an operator as a name between
 * two {@code ||}, which have its rank. In the statements of a procedure a question mark is a parameter, as procedures
 * are written in the engine's SQL. {@code ARRAY[...]} as a path becomes an array, in which a NULL is an error: the
 * engine's own paths with one, which earlier builds have stored, yield NULL.
 */
final class DocumentOperators {
    private DocumentOperators() {}

    static void replace(Words words) {
        boolean isProcedure =
                words.areAt(0, "CREATE", "PROCEDURE") || words.areAt(0, "CREATE", "OR", "REPLACE", "PROCEDURE");
        for (int i = 0; i < words.count() && !isProcedure; i++) {
            String symbol =
                    words.at(i).kind() == Lexeme.Kind.SYMBOL ? words.at(i).text() : "";
            switch (symbol) {
                case "?", "?|", "?&", "@?", "@@" -> words.replace(i, i + 1, "|| \"#" + symbol + "\" ||");
                default -> path(words, i);
            }
        }
    }

    private static void path(Words words, int place) {
        if (!words.areAt(place, "JSONB_SET", "(") && !words.areAt(place, "JSONB_INSERT", "(")) {
            return;
        }
        int close = words.closing(place + 1);
        int comma = place + 2;
        while (comma < close && !words.at(comma).isSymbol(",")) {
            boolean opens = words.at(comma).isSymbol("(") || words.at(comma).isSymbol("[");
            comma = (opens ? words.closing(comma) : comma) + 1;
        }
        if (words.areAt(comma, ",") && words.areAt(comma + 1, "ARRAY", "[")) {
            int end = words.closing(comma + 2) + 1;
            if (words.at(end).isSymbol(",") && end > comma + 4) {
                words.insert(end, "AS TEXT[])");
                words.insert(comma + 1, "CAST(");
            }
        }
    }
}
