package dev.fulmar.sql.calcite;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants;
import org.apache.calcite.sql.parser.babel.Token;

/**
 * Calls of functions with an order in their parentheses, which Calcite's grammar has for a few names alone. Each is
 * written as STRING_AGG, with its name as the first argument, where {@link AggregateForms} finds it.
 */
final class OrderedCalls implements SqlBabelParserImplConstants {
    /** Begins the name that stands before the arguments. */
    static final String MARK = "#=";

    private static final Pattern ORDERED = Pattern.compile("\\bORDER\\s+BY\\b", Pattern.CASE_INSENSITIVE);

    private OrderedCalls() {}

    /** Whether a statement may have such a call. */
    static boolean mayBeIn(String text) {
        Matcher order = ORDERED.matcher(text);
        int open = text.indexOf('(');
        return open >= 0 && order.find() && (open < order.start() || order.find());
    }

    static List<Token> spread(List<Token> written) {
        List<Token> all = new ArrayList<>(written.size());
        for (int i = 0; i < written.size(); i++) {
            Token token = written.get(i);
            if (!isCall(written, i)) {
                all.add(token);
                continue;
            }
            all.add(CompletedTokens.added(STRING_AGG, "STRING_AGG", token.beginLine, token.beginColumn));
            all.add(written.get(++i));
            int next = written.get(i + 1).kind;
            if (next == DISTINCT || next == ALL) {
                all.add(written.get(++i));
            }
            all.add(CompletedTokens.added(
                    QUOTED_IDENTIFIER, '"' + MARK + name(token) + '"', token.beginLine, token.beginColumn));
            all.add(CompletedTokens.added(COMMA, ",", token.beginLine, token.beginColumn));
        }
        return all;
    }

    private static String name(Token token) {
        return token.kind == QUOTED_IDENTIFIER
                ? token.image.substring(1, token.image.length() - 1)
                : token.image.toUpperCase(Locale.ROOT);
    }

    private static boolean isCall(List<Token> tokens, int place) {
        int kind = tokens.get(place).kind;
        boolean isName = kind == IDENTIFIER || kind == QUOTED_IDENTIFIER;
        if (!isName || place + 2 >= tokens.size() || tokens.get(place + 1).kind != LPAREN) {
            return false;
        }
        int first = tokens.get(place + 2).kind;
        if (first == SELECT || first == WITH || first == VALUES || first == LPAREN || first == ORDER) {
            return false;
        }
        int depth = 0;
        for (int i = place + 1; i < tokens.size(); i++) {
            int each = tokens.get(i).kind;
            depth += each == LPAREN ? 1 : each == RPAREN ? -1 : 0;
            if (depth == 0) {
                return false;
            }
            if (depth == 1 && each == ORDER) {
                return true;
            }
        }
        return false;
    }
}
