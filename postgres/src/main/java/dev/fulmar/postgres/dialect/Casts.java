package dev.fulmar.postgres.dialect;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Writes {@code value::type} as CAST. The engine's grammar would cast all that stands before. In PostgreSQL it binds
 * more tightly than any operator but the dot.
 */
final class Casts {
    /** Words before a parenthesis that call nothing. */
    private static final Set<String> NO_FUNCTIONS = Set.of(
            "SELECT",
            "DISTINCT",
            "FROM",
            "WHERE",
            "ON",
            "USING",
            "AND",
            "OR",
            "NOT",
            "IN",
            "IS",
            "LIKE",
            "ILIKE",
            "BETWEEN",
            "ANY",
            "ALL",
            "SOME",
            "CASE",
            "WHEN",
            "THEN",
            "ELSE",
            "BY",
            "HAVING",
            "LIMIT",
            "OFFSET",
            "VALUES",
            "SET",
            "RETURNING",
            "AS",
            "UNION",
            "INTERSECT",
            "EXCEPT",
            "JOIN",
            "DEFAULT",
            "CHECK",
            "ESCAPE",
            "OVER",
            "FILTER",
            "WITH",
            "INTO",
            "LATERAL");

    /** The fields of an interval. */
    private static final Set<String> FIELDS = Set.of("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND");

    private static final Set<String> LITERAL_TYPES =
            Set.of("DATE", "TIME", "TIMESTAMP", "TIMESTAMPTZ", "INTERVAL", "JSON", "JSONB");

    private final String source;
    private final Words words;

    /** The first and the last word of the cast that was written last. */
    private int lastStart;

    private int lastEnd = -1;

    /** The last END that ends no CASE: what is before it has none for those behind it. */
    private int loneEnd = -1;

    /** Casts within each other, of which that is the last. */
    private int levels;

    Casts(String source, Words words) {
        this.source = source;
        this.words = words;
    }

    static void replace(String source, Words words) {
        Casts casts = new Casts(source, words);
        for (int i = 0; i < words.count(); i++) {
            if (words.at(i).isSymbol("::") && i > 0) {
                casts.cast(i);
                i = casts.lastEnd; // a cast of the cast may follow
            }
        }
    }

    /** Whether a value may follow the word, so that it is none. */
    static boolean isBeforeValue(String word) {
        return NO_FUNCTIONS.contains(word);
    }

    private void cast(int place) {
        boolean isOfCast = place - 1 == lastEnd;
        int start = isOfCast ? lastStart : operand(place - 1);
        levels = isOfCast ? levels + 1 : 1;
        if (levels > Parentheses.MOST_LEVELS) {
            throw Parentheses.tooDeep(source, words.at(place));
        }
        int end = type(place + 1);
        List<Lexeme> cast = new ArrayList<>();
        cast.add(made("CAST", words.at(start).start()));
        cast.add(made("(", words.at(start).start()));
        cast.addAll(words.between(start, place));
        cast.add(made("AS", words.at(place).start()));
        for (int i = place + 1; i < end; i++) {
            if (!words.at(i - 1).isSymbol("[") || !isBound(i)) {
                cast.add(words.at(i));
            }
        }
        cast.add(made(")", words.at(end - 1).start()));
        words.replace(start, end, cast);
        lastStart = start;
        lastEnd = start + cast.size() - 1;
    }

    private static Lexeme made(String text, int start) {
        return new Lexeme(Lexeme.Kind.MADE, text, start);
    }

    /** The place at which the operand begins whose last word is at the place. */
    int operand(int last) {
        int place = last;
        while (true) {
            int begin = begin(place);
            int before = before(place, begin);
            if (before < 0) {
                return begin;
            }
            place = before;
        }
    }

    /** The place at which the word, literal or parenthesis begins that ends at the place. */
    private int begin(int last) {
        Lexeme lexeme = words.at(last);
        if (lexeme.isSymbol(")") || lexeme.isSymbol("]")) {
            return words.opening(last);
        }
        if (lexeme.isWord("END")) {
            return beginning(last);
        }
        boolean isTyped = lexeme.kind() == Lexeme.Kind.STRING
                && last > 0
                && LITERAL_TYPES.contains(words.at(last - 1).word());
        return isTyped ? last - 1 : last;
    }

    /** The last word of what the operand goes on with to the left: a call, an array, or a qualifier; -1 for nothing. */
    private int before(int last, int begin) {
        Lexeme lexeme = words.at(last);
        Lexeme before = words.at(begin - 1);
        if (begin == 0) {
            return -1;
        }
        if (lexeme.isSymbol("]")) {
            return begin - 1;
        }
        boolean isCall = lexeme.isSymbol(")")
                && (before.kind() == Lexeme.Kind.MADE || before.isName())
                && !NO_FUNCTIONS.contains(before.word());
        if (isCall) {
            return begin - 1;
        }
        return lexeme.isName() && begin > 1 && before.isSymbol(".") ? begin - 2 : -1;
    }

    /** The CASE that the END at the place ends. */
    private int beginning(int end) {
        int depth = 0;
        for (int i = end; i > loneEnd; i--) {
            if (words.at(i).isWord("END")) {
                depth++;
            } else if (words.at(i).isWord("CASE") && --depth == 0) {
                return i;
            }
        }
        loneEnd = end;
        return end;
    }

    /** The place behind the fields of an interval that may begin at the place, and behind the digits of the seconds. */
    static int behindFields(Words words, int place) {
        int end = place;
        if (FIELDS.contains(words.at(end).word())) {
            end++;
            end += words.at(end).isWord("TO")
                            && FIELDS.contains(words.at(end + 1).word())
                    ? 2
                    : 0;
        }
        boolean hasDigits = end > place
                && words.areAt(end, "(")
                && words.at(end + 1).kind() == Lexeme.Kind.NUMBER
                && words.areAt(end + 2, ")");
        return hasDigits ? end + 3 : end;
    }

    /** Whether it is the most elements of an array, which say nothing. */
    private boolean isBound(int place) {
        return words.at(place).kind() == Lexeme.Kind.NUMBER
                && words.at(place + 1).isSymbol("]");
    }

    /** The place behind the type that begins at the place. */
    private int type(int start) {
        int place = words.at(start + 1).isSymbol(".") ? start + 3 : start + 1;
        if (words.at(place - 1).isWord("INTERVAL")) {
            place = behindFields(words, place);
        }
        boolean isOfTwoWords =
                (words.at(start).isWord("DOUBLE") && words.at(place).isWord("PRECISION"))
                        || ((words.at(start).isWord("CHARACTER")
                                        || words.at(start).isWord("CHAR")
                                        || words.at(start).isWord("BIT"))
                                && words.at(place).isWord("VARYING"));
        place += isOfTwoWords ? 1 : 0;
        if (words.at(place).isSymbol("(")) {
            place = words.closing(place) + 1;
        }
        boolean isZoned = (words.at(place).isWord("WITH") || words.at(place).isWord("WITHOUT"))
                && words.at(place + 1).isWord("TIME")
                && words.at(place + 2).isWord("ZONE");
        place += isZoned ? 3 : 0;
        while (words.at(place).isSymbol("[") && (words.at(place + 1).isSymbol("]") || isBound(place + 1))) {
            place += isBound(place + 1) ? 3 : 2;
        }
        return Math.min(place, words.count() - 1);
    }
}
