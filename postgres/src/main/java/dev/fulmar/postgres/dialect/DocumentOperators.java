package dev.fulmar.postgres.dialect;

/**
 * Writes operators of documents that are parameters to the engine, and arrays of texts, which are keys and indexes. The
 * engine knows such an operator as a name between two {@code ||}, which have its rank. In the statements of a procedure
 * a question mark is a parameter, as procedures are written in the engine's SQL.
 */
final class DocumentOperators {
    /** The engine's function of the text of an array. */
    private static final String LIST = "\"#LIST\"(";

    private DocumentOperators() {}

    static void replace(Words words) {
        boolean isProcedure =
                words.areAt(0, "CREATE", "PROCEDURE") || words.areAt(0, "CREATE", "OR", "REPLACE", "PROCEDURE");
        for (int i = 0; i < words.count() && !isProcedure; i++) {
            String symbol =
                    words.at(i).kind() == Lexeme.Kind.SYMBOL ? words.at(i).text() : "";
            switch (symbol) {
                case "?", "?|", "?&" -> words.replace(i, i + 1, "|| \"#" + symbol + "\" ||");
                default -> list(words, i);
            }
        }
    }

    /** CAST to an array of texts, but not one that a comparison has. */
    private static void list(Words words, int place) {
        if (!words.areAt(place, "CAST", "(")) {
            return;
        }
        int end = words.closing(place + 1);
        boolean isList =
                words.areAt(end - 4, "AS", "TEXT", "[", "]") || words.areAt(end - 4, "AS", "VARCHAR", "[", "]");
        if (isList) {
            words.replace(end - 4, end, "");
            words.replace(place, place + 2, LIST);
        }
    }
}
