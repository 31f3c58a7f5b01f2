package dev.fulmar.postgres.dialect;

import dev.fulmar.wire.postgres.type.PostgresType;
import java.util.List;

/**
 * Leaves parameters of the type void out. By such a one PostgreSQL's JDBC driver passes the place of a result to the
 * procedure, which takes no value there.
 */
public final class OutParameters {
    private OutParameters() {}

    /**
     * The statement without them. All else stays at its place.
     *
     * @param types OIDs of its parameters; 0 for those of which nothing is said
     */
    public static Translator.Part without(Translator.Part statement, List<Integer> types) {
        if (!types.contains(PostgresType.VOID.oid())) {
            return statement;
        }
        StringBuilder text = new StringBuilder(statement.text());
        List<Lexeme> lexemes = Lexer.lexemes(statement.text());
        boolean isFirst = true; // of what stays between two parentheses
        for (int i = 1; i < lexemes.size(); i++) {
            Lexeme before = lexemes.get(i - 1);
            isFirst = before.isSymbol("(") || (isFirst && (before.isSymbol(",") || isVoid(before, types)));
            if (isVoid(lexemes.get(i), types)) {
                blank(text, lexemes.get(i));
                Lexeme comma = lexemes.get(isFirst ? i + 1 : i - 1);
                if (comma.isSymbol(",")) {
                    blank(text, comma);
                }
            }
        }
        return new Translator.Part(text.toString(), statement.start());
    }

    private static boolean isVoid(Lexeme lexeme, List<Integer> types) {
        if (lexeme.kind() != Lexeme.Kind.PARAMETER) {
            return false;
        }
        String digits = lexeme.text().substring(1);
        int number = digits.length() > 5 ? 0 : Integer.parseInt(digits);
        return number > 0 && number <= types.size() && types.get(number - 1) == PostgresType.VOID.oid();
    }

    private static void blank(StringBuilder text, Lexeme lexeme) {
        for (int i = lexeme.start(); i < lexeme.end(); i++) {
            text.setCharAt(i, ' ');
        }
    }
}
