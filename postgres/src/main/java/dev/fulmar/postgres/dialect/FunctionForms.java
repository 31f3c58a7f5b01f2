package dev.fulmar.postgres.dialect;

import java.util.ArrayList;
import java.util.List;

/** Functions of PostgreSQL that are written with others of the engine. */
final class FunctionForms {
    private final Words words;

    private final boolean isAboutCatalog;

    private FunctionForms(Words words) {
        this.words = words;
        isAboutCatalog = CatalogWords.isAboutCatalog(words);
    }

    static void replace(Words words) {
        FunctionForms forms = new FunctionForms(words);
        for (int i = words.count() - 2; i >= 0; i--) { // so that the arguments of a call are in their form before it
            boolean isCall = words.areAt(i + 1, "(")
                    && FunctionWords.isCall(words, i)
                    && !words.at(i - 1).isWord("FUNCTION");
            if (isCall) {
                forms.replace(i);
            } else if (words.areAt(i, "AS", "JSONPATH", ")")) {
                words.replace(i + 1, i + 2, "TEXT");
            }
        }
    }

    private void replace(int place) {
        switch (words.at(place).word()) {
            case "PG_TYPEOF" -> type(place);
            case "NUM_NULLS" -> count(place, "IS NULL");
            case "NUM_NONNULLS" -> count(place, "IS NOT NULL");
            case "QUOTE_NULLABLE" -> {
                words.insert(words.closing(place + 1) + 1, ", 'NULL')");
                name(place, "COALESCE(QUOTE_LITERAL");
            }
            case "BIT_LENGTH" -> {
                words.insert(words.closing(place + 1) + 1, ")");
                name(place, "(8 * OCTET_LENGTH");
            }
            case "JSONB_SET_LAX" -> setOrNull(place);
            case "JSON_OBJECT" -> name(place, "\"#JSON_OBJECT\"");
            case "GENERATE_SUBSCRIPTS" -> {
                if (!isAboutCatalog) { // whose arrays are others
                    subscripts(place);
                }
            }
            default -> {
                // The engine has the function, or refuses it.
            }
        }
    }

    private void name(int place, String name) {
        words.replace(words.areAt(place - 2, "PG_CATALOG", ".") ? place - 2 : place, place + 1, name);
    }

    /** Arguments in their order, as many as a comma ends outside of parentheses. */
    private List<List<Lexeme>> arguments(int open) {
        int close = words.closing(open);
        List<List<Lexeme>> arguments = new ArrayList<>();
        int start = open + 1;
        int place = start;
        while (place < close) {
            if (words.at(place).isSymbol(",")) {
                arguments.add(words.between(start, place));
                start = place + 1;
            }
            boolean opens = words.at(place).isSymbol("(") || words.at(place).isSymbol("[");
            place = (opens ? words.closing(place) : place) + 1;
        }
        if (start < close) {
            arguments.add(words.between(start, close));
        }
        return arguments;
    }

    /** A sum with one for each argument of which the condition holds. */
    private void count(int place, String condition) {
        List<List<Lexeme>> arguments = arguments(place + 1);
        boolean isList = words.at(place + 2).isWord("VARIADIC");
        if (arguments.isEmpty() || isList) {
            return;
        }
        List<Lexeme> sum = new ArrayList<>();
        for (List<Lexeme> argument : arguments) {
            sum.add(made(sum.isEmpty() ? "(CASE WHEN (" : "+ CASE WHEN (", place));
            sum.addAll(argument);
            sum.add(made(") " + condition + " THEN 1 ELSE 0 END", place));
        }
        sum.add(made(")", place));
        int start = words.areAt(place - 2, "PG_CATALOG", ".") ? place - 2 : place;
        words.replace(start, words.closing(place + 1) + 1, sum);
    }

    /** The numbers of an array's elements are those up to its length, in the order in which they are. */
    private void subscripts(int place) {
        if (arguments(place + 1).size() != 2) {
            return;
        }
        int close = words.closing(place + 1);
        Lexeme next = words.at(close + 1);
        boolean isTable =
                words.at(place - 1).isWord("FROM") || words.at(place - 1).isWord("JOIN");
        if (isTable && !next.isWord("AS") && !next.isName()) {
            words.insert(close + 1, "AS GENERATE_SUBSCRIPTS");
        }
        words.insert(close + 1, ")");
        name(place, "GENERATE_SERIES(1, ARRAY_LENGTH");
    }

    /** A text or NULL by itself has no type yet. */
    private void type(int place) {
        Lexeme first = words.at(place + 2);
        boolean isOpen = first.kind() == Lexeme.Kind.STRING || first.isWord("NULL");
        if (isOpen && words.areAt(place + 3, ")")) {
            words.replace(place + 2, place + 3, "'unknown'");
            name(place, "");
        } else {
            name(place, "\"#PG_TYPEOF\"");
        }
    }

    /** JSONB_SET with JSON's null in place of NULL; other treatments of NULL are refused. */
    private void setOrNull(int place) {
        List<List<Lexeme>> arguments = arguments(place + 1);
        boolean isUsual = arguments.size() == 3 || arguments.size() == 4;
        boolean isNamed = arguments.size() == 5
                && arguments.getLast().size() == 1
                && arguments.getLast().getFirst().text().equals("'use_json_null'");
        if (!isUsual && !isNamed) {
            return;
        }
        int close = words.closing(place + 1);
        int value = place + 2 + arguments.get(0).size() + 1 + arguments.get(1).size() + 1;
        if (isNamed) {
            words.replace(close - 2, close, "");
        }
        words.insert(value + arguments.get(2).size(), "AS JSONB), CAST('null' AS JSONB))");
        words.insert(value, "COALESCE(CAST(");
        name(place, "JSONB_SET");
    }

    private Lexeme made(String text, int place) {
        return new Lexeme(Lexeme.Kind.MADE, text, words.at(place).start());
    }
}
