package dev.fulmar.postgres.dialect;

/**
 * Writes operators of documents that are parameters to the engine. The engine knows such an operator as a name between
 * two {@code ||}, which have its rank. In the statements of a procedure a question mark is a parameter, as procedures
 * are written in the engine's SQL.
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
                case "?", "?|", "?&" -> words.replace(i, i + 1, "|| \"#" + symbol + "\" ||");
                default -> {
                    // No operator that is a parameter to the engine.
                }
            }
        }
    }
}
