package dev.fulmar.postgres.dialect;

import java.util.List;
import java.util.Set;

/** Gives the patterns of LIKE PostgreSQL's escape character, the backslash. */
final class PatternWords {
    private static final String ESCAPE = "ESCAPE '\\'";
    private static final Set<String> COMPARISONS = Set.of("=", "<", ">", "<=", ">=", "<>", "!=");

    private final String source;
    private final Words words;

    private PatternWords(String source, Words words) {
        this.source = source;
        this.words = words;
    }

    static void replace(String source, Words words) {
        PatternWords patterns = new PatternWords(source, words);
        for (int i = 0; i < words.count(); i++) {
            if (words.areAt(i, "OPERATOR", "(", "PG_CATALOG", ".") && words.areAt(i + 5, ")")) {
                words.replace(i, i + 6, List.of(words.at(i + 4)));
            }
            if (words.at(i).isSymbol("~~")) {
                words.replace(i, i + 1, "LIKE");
            } else if (words.at(i).isSymbol("!~~")) {
                words.replace(i, i + 1, "LIKE");
                words.insert(i++, "NOT");
            }
            if (words.at(i).isSymbol("~~*")) {
                words.replace(i, i + 1, "ILIKE");
            } else if (words.at(i).isSymbol("!~~*")) {
                words.replace(i, i + 1, "ILIKE");
                words.insert(i++, "NOT");
            }
            if ((words.at(i).isWord("LIKE") || words.at(i).isWord("ILIKE"))
                    && i > 0
                    && !words.at(i - 1).isSymbol("(")
                    && !words.at(i - 1).isSymbol(",")) {
                patterns.escape(i + 1);
            }
        }
    }

    private void escape(int start) {
        int end = start;
        while (end < words.count() - 1 && !isEnd(start, end)) {
            boolean opens = words.at(end).isSymbol("(") || words.at(end).isSymbol("[");
            end = (opens ? words.closing(end) : words.at(end).isWord("CASE") ? endOfCase(end) : end) + 1;
        }
        boolean isPlain =
                end == start + 1 && isText(words.at(start)) && !value(start).contains("\\");
        if (!isPlain && end > start && !words.at(end).isWord("ESCAPE")) {
            words.insert(end, ESCAPE);
        }
    }

    /** The place of the END; that of the CASE if it has none, or if there are deeper ones than the engine takes. */
    private int endOfCase(int place) {
        int depth = 0;
        int i = place;
        while (i < words.count() - 1 && depth <= Parentheses.MOST_LEVELS) {
            Lexeme lexeme = words.at(i);
            if (lexeme.isSymbol(")") || lexeme.isSymbol("]")) {
                return place;
            }
            depth += lexeme.isWord("CASE") ? 1 : lexeme.isWord("END") ? -1 : 0;
            if (depth == 0) {
                return i;
            }
            i = lexeme.isSymbol("(") || lexeme.isSymbol("[") ? words.closing(i) + 1 : i + 1;
        }
        return place;
    }

    /** A pattern ends where no operator is behind a value, but a word: a key word or a name of the result. */
    private boolean isEnd(int start, int place) {
        Lexeme lexeme = words.at(place);
        return lexeme.isSymbol(")")
                || lexeme.isSymbol("]")
                || lexeme.isSymbol(",")
                || (place > start && lexeme.isWord("LIKE"))
                || (lexeme.kind() == Lexeme.Kind.SYMBOL && COMPARISONS.contains(lexeme.text()))
                || (place > start && lexeme.isName() && isValue(words.at(place - 1)));
    }

    private static boolean isValue(Lexeme lexeme) {
        return lexeme.kind() != Lexeme.Kind.SYMBOL
                || lexeme.text().equals(")")
                || lexeme.text().equals("]");
    }

    private static boolean isText(Lexeme lexeme) {
        return switch (lexeme.kind()) {
            case STRING, ESCAPED, DOLLAR -> true;
            default -> false;
        };
    }

    private String value(int place) {
        return TextLiteral.value(source, words.at(place));
    }
}
