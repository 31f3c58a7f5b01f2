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

    private static final Set<String> LITERAL_TYPES = Set.of("DATE", "TIME", "TIMESTAMP", "TIMESTAMPTZ", "INTERVAL");

    private final Words words;

    private Casts(Words words) {
        this.words = words;
    }

    static void replace(Words words) {
        Casts casts = new Casts(words);
        for (int i = 0; i < words.count(); i++) {
            if (words.at(i).isSymbol("::") && i > 0) {
                casts.cast(i);
                i++; // a cast of the cast may follow
            }
        }
    }

    private void cast(int place) {
        int start = operand(place - 1);
        int end = type(place + 1);
        List<Lexeme> cast = new ArrayList<>();
        cast.add(made("CAST", words.at(start).start()));
        cast.add(made("(", words.at(start).start()));
        cast.addAll(words.between(start, place));
        cast.add(made("AS", words.at(place).start()));
        cast.addAll(words.between(place + 1, end));
        cast.add(made(")", words.at(end - 1).start()));
        words.replace(start, end, cast);
    }

    private static Lexeme made(String text, int start) {
        return new Lexeme(Lexeme.Kind.MADE, text, start);
    }

    /** The place at which the operand begins whose last word is at the place. */
    private int operand(int last) {
        Lexeme lexeme = words.at(last);
        if (lexeme.isSymbol(")") || lexeme.isSymbol("]")) {
            int open = words.opening(last);
            Lexeme before = words.at(open - 1);
            boolean isElement = lexeme.isSymbol("]") && !before.isWord("ARRAY");
            boolean isCall = open > 0
                    && (before.kind() == Lexeme.Kind.MADE || before.isName())
                    && !NO_FUNCTIONS.contains(before.word());
            if (isElement || (isCall && open > 0)) {
                return operand(open - 1);
            }
            return open;
        }
        if (lexeme.isWord("END")) {
            return beginning(last);
        }
        boolean isQualified = lexeme.isName() && last > 1 && words.at(last - 1).isSymbol(".");
        if (isQualified) {
            return operand(last - 2);
        }
        boolean isTyped = lexeme.kind() == Lexeme.Kind.STRING
                && last > 0
                && LITERAL_TYPES.contains(words.at(last - 1).word());
        return isTyped ? last - 1 : last;
    }

    /** The CASE that the END at the place ends. */
    private int beginning(int end) {
        int depth = 0;
        for (int i = end; i >= 0; i--) {
            if (words.at(i).isWord("END")) {
                depth++;
            } else if (words.at(i).isWord("CASE") && --depth == 0) {
                return i;
            }
        }
        return end;
    }

    /** The place behind the type that begins at the place. */
    private int type(int start) {
        int place = words.at(start + 1).isSymbol(".") ? start + 3 : start + 1;
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
        while (words.at(place).isSymbol("[") && words.at(place + 1).isSymbol("]")) {
            place += 2;
        }
        return Math.min(place, words.count() - 1);
    }
}
