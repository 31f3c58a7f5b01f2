package dev.fulmar.postgres.dialect;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Statements about several objects, as one statement for each: {@code DROP TABLE a, b}, {@code TRUNCATE a, b}. */
public final class ObjectLists {
    private static final Set<String> OPTIONS = Set.of("CASCADE", "RESTRICT", "RESTART", "CONTINUE");

    private ObjectLists() {}

    /** The statements; the one that came if it is about one object. */
    public static List<Translator.Part> parts(Translator.Part statement) {
        Lexeme word = Lexer.first(statement.text());
        boolean isOne = !word.isWord("DROP") && !word.isWord("TRUNCATE");
        List<Lexeme> lexemes = isOne ? List.of() : Lexer.lexemes(statement.text());
        List<Integer> commas = new ArrayList<>();
        for (int i = 0; i < lexemes.size() && !isOne; i++) {
            isOne = lexemes.get(i).isSymbol("(");
            if (lexemes.get(i).isSymbol(",")) {
                commas.add(i);
            }
        }
        return isOne || commas.isEmpty() ? List.of(statement) : parts(statement, lexemes, commas);
    }

    private static List<Translator.Part> parts(Translator.Part statement, List<Lexeme> lexemes, List<Integer> commas) {
        String text = statement.text();
        int options = lexemes.size() - 1;
        while (options > 0 && !OPTIONS.contains(lexemes.get(options).word())) {
            options--;
        }
        int end = options == 0 ? text.length() : lexemes.get(options).start();
        int first = commas.getFirst() - 1;
        while (first > 1 && lexemes.get(first - 1).isSymbol(".")) {
            first -= 2;
        }
        String head = text.substring(0, lexemes.get(first).start());
        List<Translator.Part> parts = new ArrayList<>();
        int start = head.length();
        for (int i = 0; i <= commas.size(); i++) {
            int stop = i == commas.size() ? end : lexemes.get(commas.get(i)).start();
            parts.add(new Translator.Part(
                    head + text.substring(start, stop) + " " + text.substring(end), statement.start()));
            start = stop + 1;
        }
        return parts;
    }
}
