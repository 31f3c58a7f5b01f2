package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Statements about several objects, or with several changes of one, as one statement for each: {@code DROP TABLE a, b},
 * {@code TRUNCATE a, b}, {@code ALTER TABLE a ADD COLUMN b int, DROP COLUMN c}.
 */
public final class ObjectLists {
    /** A word of the engine before the tables that are emptied together. */
    static final String BESIDE = "BESIDE";

    private static final Set<String> OPTIONS = Set.of("CASCADE", "RESTRICT", "RESTART", "CONTINUE");

    /** As many as a table has columns. */
    private static final int MOST_CHANGES = 1_600;

    private ObjectLists() {}

    /** The statements; the one that came if it is about one object. */
    public static List<Translator.Part> parts(Translator.Part statement) {
        Lexeme word = Lexer.first(statement.text());
        if (word.isWord("ALTER")) {
            return changes(statement);
        }
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

    /** The changes of a table, in their order. */
    private static List<Translator.Part> changes(Translator.Part statement) {
        String text = statement.text();
        Words words = new Words(Lexer.lexemes(text));
        if (!words.areAt(1, "TABLE")) {
            return List.of(statement);
        }
        int name = words.areAt(2, "IF", "EXISTS") ? 4 : 2;
        boolean isLenient = name == 4;
        name += words.areAt(name, "ONLY") ? 1 : 0;
        int first = words.areAt(name + 1, ".") ? name + 3 : name + 1;
        StringBuilder head = new StringBuilder("ALTER TABLE ").append(isLenient ? "IF EXISTS " : "");
        for (int i = name; i < first; i++) {
            head.append(words.at(i).text());
        }
        List<Translator.Part> parts = new ArrayList<>();
        int start = 0;
        for (int i = first; i < words.count(); i = next(words, i)) {
            if (words.at(i).isSymbol(",")) {
                String before = parts.isEmpty() ? "" : head + " "; // the first one has it
                parts.add(new Translator.Part(
                        before + text.substring(start, words.at(i).start()), statement.start()));
                start = words.at(i).end();
                checkCount(parts.size());
            }
        }
        if (parts.isEmpty()) {
            return List.of(statement);
        }
        parts.add(new Translator.Part(head + " " + text.substring(start), statement.start()));
        return parts;
    }

    private static void checkCount(int parts) {
        if (parts > MOST_CHANGES) {
            throw new FulmarException(
                    ErrorCode.STATEMENT_TOO_COMPLEX,
                    "a statement changes a table at most " + MOST_CHANGES + " times; use several statements");
        }
    }

    /** Whether parts of the statement may be executed in another order, as what depends on others goes first. */
    public static boolean mayChangePlaces(Translator.Part statement) {
        return !Lexer.first(statement.text()).isWord("ALTER");
    }

    private static int next(Words words, int place) {
        boolean opens = words.at(place).isSymbol("(") || words.at(place).isSymbol("[");
        return opens ? words.closing(place) + 1 : place + 1;
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
        String behind = lexemes.getFirst().isWord("TRUNCATE")
                ? text.substring(end) + "\n" + BESIDE + " " + text.substring(start, end)
                : text.substring(end);
        for (int i = 0; i <= commas.size(); i++) {
            int stop = i == commas.size() ? end : lexemes.get(commas.get(i)).start();
            parts.add(new Translator.Part(head + text.substring(start, stop) + "\n" + behind, statement.start()));
            start = stop + 1;
        }
        return parts;
    }
}
