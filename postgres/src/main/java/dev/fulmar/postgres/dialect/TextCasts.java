package dev.fulmar.postgres.dialect;

/** Casts to text of values, whose text is PostgreSQL's: {@code true} and not {@code TRUE}. */
final class TextCasts {
    /** The engine's function, under a name that no client writes. */
    private static final String FUNCTION = "\"#TEXT\"";

    private TextCasts() {}

    static void replace(Words words) {
        for (int i = 0; i < words.count(); i++) {
            if (words.areAt(i, "CAST", "(")) {
                int end = words.closing(i + 1);
                boolean isText = words.at(end - 2).isWord("AS")
                        && (words.at(end - 1).isWord("TEXT")
                                || words.at(end - 1).isWord("VARCHAR"));
                if (isText && !isUntyped(words, i + 2, end - 2)) {
                    words.replace(end - 2, end, "");
                    words.replace(i, i + 1, FUNCTION);
                }
            }
        }
    }

    /** Whether the operand takes its type from the cast. */
    private static boolean isUntyped(Words words, int from, int to) {
        return to - from == 1
                && switch (words.at(from).kind()) {
                    case STRING, ESCAPED, DOLLAR, PARAMETER -> true;
                    case WORD -> words.at(from).isWord("NULL");
                    default -> false;
                };
    }
}
