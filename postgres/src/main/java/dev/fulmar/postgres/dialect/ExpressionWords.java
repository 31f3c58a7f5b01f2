package dev.fulmar.postgres.dialect;

import java.util.Set;

/**
 * Marks regular expressions and patterns of SIMILAR TO whose brackets and escapes PostgreSQL reads in a way of its own.
 * The mark is PostgreSQL's director {@code ***:}, which stands before an expression of its usual form. The engine reads
 * expressions without it as earlier builds did, for views and logs have such. Patterns that are texts, and that both
 * read alike, stay as they are.
 */
final class ExpressionWords {
    /** The engine's function that puts the mark before a pattern. */
    private static final String PATTERN = "\"#PATTERN\"";

    private static final String MARK = "'***:' ||";
    private static final Set<String> OPERATORS = Set.of("~", "!~", "~*", "!~*");

    /** Functions whose second argument is a regular expression. */
    private static final Set<String> FUNCTIONS = Set.of(
            "REGEXP_LIKE",
            "REGEXP_COUNT",
            "REGEXP_INSTR",
            "REGEXP_SUBSTR",
            "REGEXP_REPLACE",
            "REGEXP_MATCH",
            "REGEXP_SPLIT_TO_ARRAY",
            "\"#REGEXP_MATCHES\"",
            SubstringForms.EXPRESSION_PART);

    private final String source;
    private final Words words;

    private ExpressionWords(String source, Words words) {
        this.source = source;
        this.words = words;
    }

    static void replace(String source, Words words) {
        if (CatalogWords.isAboutCatalog(words)) {
            return;
        }
        ExpressionWords expressions = new ExpressionWords(source, words);
        for (int i = words.count() - 2; i >= 0; i--) {
            Lexeme lexeme = words.at(i);
            boolean isOperator = lexeme.kind() == Lexeme.Kind.SYMBOL && OPERATORS.contains(lexeme.text());
            if (isOperator && expressions.isBehindValue(i)) {
                expressions.operand(i + 1, false);
            } else if (words.areAt(i, "SIMILAR", "TO")) {
                expressions.operand(i + 2, true);
            } else if (words.areAt(i + 1, "(") && FunctionWords.isCall(words, i)) {
                boolean isPart = lexeme.text().equals(SubstringForms.SIMILAR_PART);
                if (isPart || FUNCTIONS.contains(lexeme.word()) || FUNCTIONS.contains(lexeme.text())) {
                    expressions.argument(i + 1, isPart);
                }
            }
        }
    }

    /** Whether the operator has a value on its left, and is not the one that negates bits. */
    private boolean isBehindValue(int place) {
        Lexeme before = words.at(place - 1);
        return switch (before.kind()) {
            case SYMBOL -> before.text().equals(")") || before.text().equals("]");
            case WORD -> !Casts.isBeforeValue(before.word());
            default -> place > 0;
        };
    }

    /** Marks the pattern behind an operator. */
    private void operand(int place, boolean isSimilar) {
        boolean isArray = words.areAt(place, "ANY") || words.areAt(place, "SOME") || words.areAt(place, "ALL");
        if (isArray || words.at(place).text().equals(PATTERN)) {
            return;
        }
        boolean isAlone = isValue(place) && !words.areAt(place + 1, "||");
        if (!isAlone) {
            words.insert(place, MARK);
        } else if (!isRead(place, isSimilar)) {
            words.insert(place + 1, ")");
            words.insert(place, PATTERN + "(");
        }
    }

    /** Marks the second argument of a call. */
    private void argument(int open, boolean isSimilar) {
        int from = behindComma(open + 1, words.closing(open));
        int end = behindComma(from, words.closing(open) + 1) - 1;
        boolean isAlone = end == from + 1 && isValue(from);
        boolean isMarked = words.at(from).text().equals(PATTERN);
        if (from < end && !isMarked && !(isAlone && isRead(from, isSimilar))) {
            words.insert(end, ")");
            words.insert(from, PATTERN + "(");
        }
    }

    /** The place behind the next comma before the end that is in no parentheses; the end if there is none. */
    private int behindComma(int from, int end) {
        int place = from;
        while (place < end && !words.at(place).isSymbol(",")) {
            boolean opens = words.at(place).isSymbol("(") || words.at(place).isSymbol("[");
            place = (opens ? words.closing(place) : place) + 1;
        }
        return Math.min(place + 1, end);
    }

    private boolean isValue(int place) {
        return switch (words.at(place).kind()) {
            case STRING, ESCAPED, DOLLAR, PARAMETER -> true;
            default -> false;
        };
    }

    /** Whether the engine reads the text without a mark as PostgreSQL does. */
    private boolean isRead(int place, boolean isSimilar) {
        if (words.at(place).kind() == Lexeme.Kind.PARAMETER) {
            return false;
        }
        String text = TextLiteral.value(source, words.at(place));
        return isSimilar
                ? text.indexOf('[') < 0
                        && text.indexOf('\\') < 0
                        && !words.at(place + 1).isWord("ESCAPE")
                        && !words.at(place + 1).isSymbol(",")
                : !text.startsWith("***")
                        && (text.indexOf('[') < 0
                                || (text.indexOf('\\') < 0 && !text.contains("[.") && !text.contains("[=")));
    }
}
