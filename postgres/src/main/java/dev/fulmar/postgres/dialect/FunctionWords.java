package dev.fulmar.postgres.dialect;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Calls of functions that the engine has under another name, or with another meaning of NULL. */
final class FunctionWords {
    private static final Map<String, String> NAMES = Map.of("TRUNC", "TRUNCATE", "CEILING", "CEIL");

    private static final int MOST_CHOICES = 12;

    private final Words words;

    private FunctionWords(Words words) {
        this.words = words;
    }

    static void replace(Words words) {
        FunctionWords functions = new FunctionWords(words);
        for (int i = words.count() - 1; i >= 0; i--) { // calls inside of others first
            if (words.areAt(i + 1, "(") && !words.at(i - 1).isSymbol(".")) {
                functions.call(i);
            }
        }
    }

    private void call(int place) {
        String name = words.at(place).word();
        String other = NAMES.get(name);
        if (other != null) {
            words.replace(place, place + 1, other);
            return;
        }
        List<List<Lexeme>> arguments = arguments(place + 1);
        int count = arguments.size();
        switch (name) {
            case "LOG" -> {
                if (count == 1) {
                    words.replace(place, place + 1, "LOG10");
                }
            }
            case "BTRIM" -> trim(place, arguments);
            case "CONCAT" -> {
                if (count > 0 && !isVariadic(arguments)) {
                    put(place, concatenation(place, arguments));
                }
            }
            case "CONCAT_WS" -> {
                if (count > 1 && !isVariadic(arguments)) {
                    separated(place, arguments);
                }
            }
            case "GREATEST", "LEAST" -> {
                if (count > 1 && count <= MOST_CHOICES) {
                    choice(place, name, arguments);
                }
            }
            default -> {
                // The engine's own, or an error there.
            }
        }
    }

    private static boolean isVariadic(List<List<Lexeme>> arguments) {
        return arguments.stream()
                .anyMatch(each -> each.isEmpty() || each.getFirst().isWord("VARIADIC"));
    }

    private List<List<Lexeme>> arguments(int open) {
        int close = words.closing(open);
        List<List<Lexeme>> arguments = new ArrayList<>();
        int start = open + 1;
        for (int i = open + 1; i <= close; i++) {
            if (i < close && (words.at(i).isSymbol("(") || words.at(i).isSymbol("["))) {
                i = words.closing(i);
            }
            if (i == close || words.at(i).isSymbol(",")) {
                if (i > start || !arguments.isEmpty()) {
                    arguments.add(words.between(start, i));
                }
                start = i + 1;
            }
        }
        return arguments;
    }

    private Lexeme made(String text, int place) {
        return new Lexeme(Lexeme.Kind.MADE, text, words.at(place).start());
    }

    private void put(int place, List<Lexeme> others) {
        words.replace(place, words.closing(place + 1) + 1, others);
    }

    private void trim(int place, List<List<Lexeme>> arguments) {
        if (arguments.size() == 1 || arguments.size() == 2) {
            List<Lexeme> trim = new ArrayList<>();
            trim.add(made("TRIM(BOTH", place));
            if (arguments.size() == 2) {
                trim.addAll(arguments.get(1));
            }
            trim.add(made("FROM", place));
            trim.addAll(arguments.getFirst());
            trim.add(made(")", place));
            put(place, trim);
        }
    }

    /** The texts one behind another, where NULL is no text. */
    private List<Lexeme> concatenation(int place, List<List<Lexeme>> arguments) {
        List<Lexeme> all = new ArrayList<>();
        for (List<Lexeme> argument : arguments) {
            all.add(made(all.isEmpty() ? "(COALESCE(" : "|| COALESCE(", place));
            all.addAll(text(argument));
            all.add(made(", '')", place));
        }
        all.add(made(")", place));
        return all;
    }

    private List<Lexeme> text(List<Lexeme> argument) {
        List<Lexeme> text = new ArrayList<>();
        text.add(made("CAST", 0));
        text.add(made("(", 0));
        text.addAll(argument);
        text.add(made("AS", 0));
        text.add(made("VARCHAR", 0));
        text.add(made(")", 0));
        return text;
    }

    /** Each text with the separator before it, without the first separator. */
    private void separated(int place, List<List<Lexeme>> arguments) {
        List<Lexeme> separator = text(arguments.getFirst());
        List<Lexeme> all = new ArrayList<>();
        all.add(made("SUBSTRING(", place));
        for (List<Lexeme> argument : arguments.subList(1, arguments.size())) {
            all.add(made(all.size() == 1 ? "COALESCE(" : "|| COALESCE(", place));
            all.addAll(separator);
            all.add(made("||", place));
            all.addAll(text(argument));
            all.add(made(", '')", place));
        }
        all.add(made("FROM CHAR_LENGTH(", place));
        all.addAll(separator);
        all.add(made(") + 1)", place));
        put(place, all);
    }

    /** Each choice becomes the first that is not NULL from itself on, so that NULL is chosen of nothing else only. */
    private void choice(int place, String name, List<List<Lexeme>> arguments) {
        List<Lexeme> all = new ArrayList<>();
        all.add(made(name + "(", place));
        for (int i = 0; i < arguments.size(); i++) {
            all.add(made(i == 0 ? "COALESCE(" : ", COALESCE(", place));
            for (int j = 0; j < arguments.size(); j++) {
                if (j > 0) {
                    all.add(made(",", place));
                }
                all.addAll(arguments.get((i + j) % arguments.size()));
            }
            all.add(made(")", place));
        }
        all.add(made(")", place));
        put(place, all);
    }
}
