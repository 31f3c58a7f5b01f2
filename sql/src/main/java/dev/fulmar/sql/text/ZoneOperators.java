package dev.fulmar.sql.text;

import java.util.List;
import java.util.Set;

/**
 * Writes {@code x AT TIME ZONE z} and {@code TIMESTAMP WITH TIME ZONE 'x'}, which Calcite's grammar does not know, as
 * calls of functions. The operator binds more tightly than any other but a cast. A call is no longer than what it
 * stands for, so all else keeps its place.
 */
public final class ZoneOperators {
    /** Of a value and a time zone. */
    public static final String AT_ZONE = "#AT";

    /** Of the text of an instant. */
    public static final String INSTANT = "#TZ";

    private static final Set<String> NO_FUNCTIONS = Set.of(
            "SELECT",
            "DISTINCT",
            "WHERE",
            "ON",
            "AND",
            "OR",
            "NOT",
            "IN",
            "IS",
            "LIKE",
            "BETWEEN",
            "CASE",
            "WHEN",
            "THEN",
            "ELSE",
            "BY",
            "HAVING",
            "VALUES",
            "SET",
            "RETURNING",
            "DEFAULT",
            "CHECK");

    private ZoneOperators() {}

    /** The statement as the grammar knows it. */
    public static String written(String sql) {
        String text = sql;
        if (mentions(text, "ZONE") || mentions(text, "TIMESTAMPTZ")) {
            int from = 0;
            while (from >= 0) {
                List<Token> tokens = Tokenizer.tokens(text);
                from = next(tokens, from);
                text = from < 0 ? text : replaced(text, tokens, from);
            }
        }
        return text;
    }

    private static boolean mentions(String text, String word) {
        for (int i = 0; i + word.length() <= text.length(); i++) {
            if (text.regionMatches(true, i, word, 0, word.length())) {
                return true;
            }
        }
        return false;
    }

    /** The first token of the next operator or literal; -1 if there is none. */
    private static int next(List<Token> tokens, int from) {
        for (int i = from; i < tokens.size(); i++) {
            if (literal(tokens, i) > 0 || isOperator(tokens, i)) {
                return i;
            }
        }
        return -1;
    }

    /** The place of the text behind the words of a literal; 0 for none. */
    private static int literal(List<Token> tokens, int place) {
        int text = place;
        if (tokens.get(place).isWord("TIMESTAMPTZ")) {
            text = place + 1;
        } else if (tokens.get(place).isWord("TIMESTAMP") && isZone(tokens, place + 1, "WITH")) {
            text = place + 4;
        }
        return text > place && tokens.get(text).kind() == Token.Kind.STRING ? text : 0;
    }

    private static boolean isZone(List<Token> tokens, int place, String first) {
        return place + 3 < tokens.size()
                && tokens.get(place).isWord(first)
                && tokens.get(place + 1).isWord("TIME")
                && tokens.get(place + 2).isWord("ZONE");
    }

    private static boolean isOperator(List<Token> tokens, int place) {
        return place > 0 && isZone(tokens, place, "AT");
    }

    private static String replaced(String sql, List<Token> tokens, int place) {
        int text = literal(tokens, place);
        if (text > 0) {
            Token value = tokens.get(text);
            return written(sql, tokens.get(place).start(), call(INSTANT) + value.text() + ")", value.end());
        }
        int operand = operand(tokens, place - 1);
        int last = last(tokens, place + 3);
        int start = tokens.get(operand).start();
        String value = sql.substring(start, tokens.get(place - 1).end());
        String between =
                sql.substring(tokens.get(place - 1).end(), tokens.get(place + 3).start());
        String zone =
                sql.substring(tokens.get(place + 3).start(), tokens.get(last).end());
        String lines = between.replaceAll("[^\n]", "");
        return written(
                sql,
                start,
                call(AT_ZONE) + value + "," + lines + zone + ")",
                tokens.get(last).end());
    }

    private static String call(String function) {
        return "\"" + function + "\"(";
    }

    /** The text with the call, which is followed by as many blanks as it is shorter. */
    private static String written(String sql, int start, String call, int end) {
        return sql.substring(0, start)
                + call
                + " ".repeat(Math.max(0, end - start - call.length()))
                + sql.substring(end);
    }

    /** The place at which the operand begins that ends at the place. */
    private static int operand(List<Token> tokens, int last) {
        Token token = tokens.get(last);
        int start = last;
        if (token.isSymbol(")")) {
            start = opening(tokens, last);
            boolean isCall = start > 0 && isName(tokens.get(start - 1)) && !isReserved(tokens.get(start - 1));
            start = isCall ? qualified(tokens, start - 1) : start;
        } else if (token.isWord("END")) {
            start = caseOf(tokens, last);
        } else if (isName(token)) {
            start = qualified(tokens, last);
        } else if (token.kind() == Token.Kind.STRING && last > 0 && isTyped(tokens.get(last - 1))) {
            start = last - 1;
        }
        boolean isCast = start > 2
                && tokens.get(start - 1).isSymbol(":")
                && tokens.get(start - 2).isSymbol(":");
        return isCast ? operand(tokens, start - 3) : start;
    }

    private static boolean isName(Token token) {
        return token.kind() == Token.Kind.WORD || token.kind() == Token.Kind.QUOTED_NAME;
    }

    private static boolean isReserved(Token token) {
        return token.kind() == Token.Kind.WORD && NO_FUNCTIONS.contains(token.name());
    }

    private static boolean isTyped(Token token) {
        return token.isWord("DATE") || token.isWord("TIMESTAMP");
    }

    private static int qualified(List<Token> tokens, int last) {
        int start = last;
        while (start > 1 && tokens.get(start - 1).isSymbol(".") && isName(tokens.get(start - 2))) {
            start -= 2;
        }
        return start;
    }

    private static int opening(List<Token> tokens, int close) {
        int depth = 0;
        for (int i = close; i >= 0; i--) {
            depth += tokens.get(i).isSymbol(")") ? 1 : tokens.get(i).isSymbol("(") ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return close;
    }

    private static int caseOf(List<Token> tokens, int end) {
        int depth = 0;
        for (int i = end; i >= 0; i--) {
            depth += tokens.get(i).isWord("END") ? 1 : tokens.get(i).isWord("CASE") ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return end;
    }

    /** The last token of the zone that begins at the place: a text, a parameter, a column, a call or parentheses. */
    private static int last(List<Token> tokens, int place) {
        int last = place;
        while (isName(tokens.get(last)) && tokens.get(last + 1).isSymbol(".") && isName(tokens.get(last + 2))) {
            last += 2;
        }
        int open = tokens.get(last).isSymbol("(") ? last : last + 1;
        if (!tokens.get(open).isSymbol("(") || !(open == last || isName(tokens.get(last)))) {
            return last;
        }
        int depth = 0;
        for (int i = open; i < tokens.size() - 1; i++) {
            depth += tokens.get(i).isSymbol("(") ? 1 : tokens.get(i).isSymbol(")") ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return last;
    }
}
