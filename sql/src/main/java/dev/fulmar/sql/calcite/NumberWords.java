package dev.fulmar.sql.calcite;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants;
import org.apache.calcite.sql.parser.babel.Token;

/** Writes the type {@code NUMBER(digits, scale)} of a CAST as one word, for the grammar has no such type. */
final class NumberWords implements SqlBabelParserImplConstants {
    private static final Pattern WORD = Pattern.compile("\\bNUMBER\\s*\\(", Pattern.CASE_INSENSITIVE);

    private NumberWords() {}

    /** Whether a statement may have such a type. */
    static boolean mayBeIn(String text) {
        return WORD.matcher(text).find();
    }

    static List<Token> spread(List<Token> written) {
        List<Token> all = new ArrayList<>(written.size());
        for (int i = 0; i < written.size(); i++) {
            Token token = written.get(i);
            int end = isType(written, i) ? end(written, i + 2) : -1;
            if (end < 0) {
                all.add(token);
            } else {
                all.add(CompletedTokens.added(
                        QUOTED_IDENTIFIER, '"' + name(written, i + 2, end) + '"', token.beginLine, token.beginColumn));
                i = end;
            }
        }
        return all;
    }

    private static boolean isType(List<Token> tokens, int place) {
        boolean isBehindAs =
                place > 0 && (tokens.get(place - 1).kind == AS || tokens.get(place - 1).kind == INFIX_CAST);
        return isBehindAs
                && tokens.get(place).image.equalsIgnoreCase("NUMBER")
                && place + 3 < tokens.size()
                && tokens.get(place + 1).kind == LPAREN;
    }

    /** The place of the parenthesis behind digits, and perhaps a scale; -1 if there is something else. */
    private static int end(List<Token> tokens, int first) {
        int place = first + 1;
        if (tokens.get(first).kind != UNSIGNED_INTEGER_LITERAL) {
            return -1;
        }
        if (tokens.get(place).kind == COMMA) {
            place += tokens.get(place + 1).kind == MINUS ? 3 : 2;
        }
        return place < tokens.size() && tokens.get(place).kind == RPAREN ? place : -1;
    }

    private static String name(List<Token> tokens, int first, int end) {
        StringBuilder scale = new StringBuilder();
        for (int i = first + 2; i < end; i++) {
            scale.append(tokens.get(i).image);
        }
        return NumericOperators.TYPE + " " + tokens.get(first).image + " " + (scale.isEmpty() ? "0" : scale);
    }
}
