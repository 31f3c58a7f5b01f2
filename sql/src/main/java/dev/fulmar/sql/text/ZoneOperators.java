package dev.fulmar.sql.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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

    private final String sql;
    private final List<Token> tokens;
    private final Operands operands;

    /** The text between each token and the one before it. */
    private final String[] gaps;

    /** Calls that begin with each token. */
    private final String[] calls;

    /** The text that stands for each token. */
    private final String[] texts;

    /** The ends of calls behind each token. */
    private final String[] ends;

    private ZoneOperators(String sql) {
        this.sql = sql;
        tokens = tokens(sql);
        operands = new Operands(tokens.stream().map(Token::text).toList());
        gaps = new String[tokens.size()];
        calls = new String[tokens.size()];
        texts = new String[tokens.size()];
        ends = new String[tokens.size()];
        Arrays.fill(calls, "");
        Arrays.fill(ends, "");
        for (int i = 0; i < tokens.size(); i++) {
            gaps[i] = between(i - 1, i);
            texts[i] = tokens.get(i).text();
        }
    }

    /** The statement as the grammar knows it. */
    public static String written(String sql) {
        return mentions(sql, "ZONE") || mentions(sql, "TIMESTAMPTZ") ? new ZoneOperators(sql).written() : sql;
    }

    /** Whether the text has the letters, in any case. */
    static boolean mentions(String text, String word) {
        for (int i = 0; i + word.length() <= text.length(); i++) {
            if (text.regionMatches(true, i, word, 0, word.length())) {
                return true;
            }
        }
        return false;
    }

    /** The tokens of the text, where a cast is one. */
    private static List<Token> tokens(String sql) {
        List<Token> tokens = new ArrayList<>();
        for (Token token : Tokenizer.tokens(sql)) {
            Token last = tokens.isEmpty() ? token : tokens.getLast();
            if (token.isSymbol(":") && last.isSymbol(":") && last.end() == token.start()) {
                tokens.removeLast();
                tokens.add(new Token(Token.Kind.SYMBOL, "::", last.start(), token.end(), last.position()));
            } else {
                tokens.add(token);
            }
        }
        return tokens;
    }

    private String between(int token, int next) {
        return sql.substring(
                token < 0 ? 0 : tokens.get(token).end(), tokens.get(next).start());
    }

    private String written() {
        for (int i = 0; i < tokens.size() - 1; i++) {
            int text = literal(i);
            if (text > 0) {
                instant(i, text);
                i = text;
            } else if (i > 0 && operands.is(i, "::")) {
                operands.mark(operands.operand(i - 1), operands.type(i + 1));
            } else if (i > 0 && isZone(i, "AT")) {
                inZone(i);
                i += 2;
            }
        }
        StringBuilder text = new StringBuilder(sql.length());
        for (int i = 0; i < tokens.size(); i++) {
            text.append(gaps[i]).append(calls[i]).append(texts[i]).append(ends[i]);
        }
        return text.toString();
    }

    /** The place of the text behind the words of a literal; 0 for none. */
    private int literal(int place) {
        int text = place;
        if (tokens.get(place).isWord("TIMESTAMPTZ")) {
            text = place + 1;
        } else if (tokens.get(place).isWord("TIMESTAMP") && isZone(place + 1, "WITH")) {
            text = place + 4;
        }
        return text > place && tokens.get(text).kind() == Token.Kind.STRING ? text : 0;
    }

    private boolean isZone(int place, String first) {
        return place + 3 < tokens.size()
                && tokens.get(place).isWord(first)
                && tokens.get(place + 1).isWord("TIME")
                && tokens.get(place + 2).isWord("ZONE");
    }

    private static String call(String function) {
        return "\"" + function + "\"(";
    }

    private void instant(int place, int text) {
        int length = tokens.get(text).start() - tokens.get(place).start();
        String call = call(INSTANT);
        remove(place, text);
        texts[place] = call;
        ends[text] = ")" + " ".repeat(Math.max(0, length - call.length() - 1));
        operands.mark(place, text);
    }

    private void inZone(int place) {
        int begin = operands.operand(place - 1);
        int last = zone(place + 3);
        String between = between(place - 1, place + 3);
        String separator = "," + between.replaceAll("[^\n]", "");
        String call = call(AT_ZONE);
        remove(place, place + 3);
        gaps[place] = "";
        texts[place] = separator;
        calls[begin] = call + calls[begin];
        ends[last] += ")" + " ".repeat(Math.max(0, between.length() - call.length() - separator.length() - 1));
        operands.mark(begin, last);
    }

    /** Leaves out the tokens before the last one, and what is between them. */
    private void remove(int first, int last) {
        for (int i = first; i < last; i++) {
            texts[i] = "";
            gaps[i + 1] = "";
        }
    }

    /** The last token of the zone that begins at the place: a text, a parameter, a column, a call or parentheses. */
    private int zone(int place) {
        int last = place;
        while (operands.isName(last) && operands.is(last + 1, ".") && operands.isName(last + 2)) {
            last += 2;
        }
        int open = operands.is(last, "(") ? last : last + 1;
        boolean isCalled = operands.is(open, "(") && (open == last || operands.isName(last));
        if (isCalled && operands.partner(open) > open) {
            last = operands.partner(open);
        }
        while (operands.is(last + 1, "::") && last + 2 < tokens.size() - 1) {
            last = operands.type(last + 2);
        }
        return last;
    }
}
