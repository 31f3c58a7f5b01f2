package dev.fulmar.postgres.dialect;

import java.util.Set;

/** Gives the patterns of LIKE PostgreSQL's escape character, the backslash. */
final class PatternWords {
    private static final String ESCAPE = "ESCAPE '\\'";
    private static final Set<String> ENDS = Set.of(
            "AND",
            "OR",
            "IS",
            "THEN",
            "WHEN",
            "ELSE",
            "END",
            "GROUP",
            "ORDER",
            "HAVING",
            "LIMIT",
            "OFFSET",
            "FETCH",
            "UNION",
            "INTERSECT",
            "EXCEPT",
            "FOR",
            "WINDOW",
            "RETURNING",
            "ESCAPE",
            "AS",
            "FROM",
            "WHERE",
            "ON",
            "JOIN",
            "LEFT",
            "RIGHT",
            "FULL",
            "INNER",
            "CROSS",
            "NATURAL",
            "ASC",
            "DESC",
            "NULLS",
            "DEFAULT",
            "NOT",
            "COLLATE");

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
            if (words.at(i).isWord("LIKE")
                    && i > 0
                    && !words.at(i - 1).isSymbol("(")
                    && !words.at(i - 1).isSymbol(",")) {
                patterns.escape(i + 1);
            }
        }
    }

    private void escape(int start) {
        int end = start;
        while (end < words.count() - 1 && !isEnd(words.at(end))) {
            boolean opens = words.at(end).isSymbol("(") || words.at(end).isSymbol("[");
            end = opens ? words.closing(end) + 1 : end + 1;
        }
        boolean isPlain =
                end == start + 1 && isText(words.at(start)) && !value(start).contains("\\");
        if (!isPlain && end > start && !words.at(end).isWord("ESCAPE")) {
            words.insert(end, ESCAPE);
        }
    }

    private static boolean isEnd(Lexeme lexeme) {
        return lexeme.isSymbol(")")
                || lexeme.isSymbol("]")
                || lexeme.isSymbol(",")
                || (lexeme.kind() == Lexeme.Kind.SYMBOL && COMPARISONS.contains(lexeme.text()))
                || ENDS.contains(lexeme.word());
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
