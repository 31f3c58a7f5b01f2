package dev.fulmar.sql.calcite;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants;
import org.apache.calcite.sql.parser.babel.Token;

/**
 * Writes INTERVAL where Calcite's grammar asks for a unit behind it. {@code INTERVAL '1 day'} becomes a CAST, and the
 * type in a CAST one word, in which {@link IntervalOperators} finds the fields.
 */
final class IntervalWords implements SqlBabelParserImplConstants {
    private static final Pattern WORD = Pattern.compile("\\bINTERVAL\\b", Pattern.CASE_INSENSITIVE);

    private static final Set<String> UNITS = Set.of("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND");
    private static final Set<String> MORE_UNITS =
            Set.of("WEEK", "QUARTER", "YEARS", "QUARTERS", "MONTHS", "WEEKS", "DAYS", "HOURS", "MINUTES", "SECONDS");

    private IntervalWords() {}

    /** Whether a statement may have such a word. */
    static boolean mayBeIn(String text) {
        return WORD.matcher(text).find();
    }

    static List<Token> spread(List<Token> written) {
        List<Token> all = new ArrayList<>(written.size());
        for (int i = 0; i < written.size(); i++) {
            Token token = written.get(i);
            if (token.kind != INTERVAL) {
                all.add(token);
            } else if (isType(written, i)) {
                i = addType(written, i, all);
            } else if (isBareText(written, i + 1)) {
                addCast(token, written.get(++i), all);
            } else {
                all.add(token);
            }
        }
        return all;
    }

    private static boolean isType(List<Token> tokens, int place) {
        return place > 0 && (tokens.get(place - 1).kind == AS || tokens.get(place - 1).kind == INFIX_CAST);
    }

    /** Whether a text is at the place, without a unit behind it. */
    private static boolean isBareText(List<Token> tokens, int place) {
        if (place >= tokens.size() || tokens.get(place).kind != QUOTED_STRING) {
            return false;
        }
        String behind = place + 1 < tokens.size() ? upper(tokens.get(place + 1)) : "";
        return !UNITS.contains(behind) && !MORE_UNITS.contains(behind);
    }

    private static String upper(Token token) {
        return token.image.toUpperCase(Locale.ROOT);
    }

    private static void addCast(Token word, Token text, List<Token> all) {
        all.add(CompletedTokens.added(CAST, "CAST", word.beginLine, word.beginColumn));
        all.add(CompletedTokens.added(LPAREN, "(", word.beginLine, word.beginColumn));
        all.add(text);
        all.add(CompletedTokens.added(AS, "AS", text.endLine, text.endColumn));
        all.add(named("", word));
        all.add(CompletedTokens.added(RPAREN, ")", text.endLine, text.endColumn));
    }

    private static Token named(String fields, Token word) {
        return CompletedTokens.added(
                QUOTED_IDENTIFIER, '"' + IntervalFunctions.CAST_NAME + fields + '"', word.beginLine, word.beginColumn);
    }

    /** @return the place of the last word of the type */
    private static int addType(List<Token> tokens, int place, List<Token> all) {
        StringBuilder fields = new StringBuilder();
        int last = place;
        boolean goesOn = true;
        while (goesOn && last + 1 < tokens.size()) {
            Token next = tokens.get(last + 1);
            boolean isField = UNITS.contains(upper(next)) || (next.kind == TO && last > place);
            if (isField) {
                fields.append(' ').append(upper(next));
                last++;
            } else {
                goesOn = false;
            }
        }
        boolean hasDigits = last + 3 < tokens.size()
                && tokens.get(last + 1).kind == LPAREN
                && tokens.get(last + 2).kind == UNSIGNED_INTEGER_LITERAL
                && tokens.get(last + 3).kind == RPAREN;
        if (hasDigits) {
            fields.append('(').append(tokens.get(last + 2).image).append(')');
            last += 3;
        }
        all.add(named(fields.toString(), tokens.get(place)));
        return last;
    }
}
