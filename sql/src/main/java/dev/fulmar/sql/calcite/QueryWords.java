package dev.fulmar.sql.calcite;

import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.AS;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.DESC;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.GT;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.LPAREN;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.LT;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.NOT;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.SELECT;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.USING;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.VALUES;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.WITH;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.calcite.sql.parser.babel.Token;

/**
 * Words of PostgreSQL's queries that the grammar lacks. {@code WITH q AS [NOT] MATERIALIZED (...)} says how q is
 * computed, which the planner decides. {@code ORDER BY a USING >} is {@code ORDER BY a DESC}.
 */
final class QueryWords {
    private static final Pattern WORDS =
            Pattern.compile("\\bMATERIALIZED\\b|\\bUSING\\s*[<>]", Pattern.CASE_INSENSITIVE);

    private QueryWords() {}

    /** Whether the text may have such words. */
    static boolean mayBeIn(String text) {
        return WORDS.matcher(text).find();
    }

    /** The words of the statement as the grammar knows them. */
    static List<Token> spread(List<Token> words) {
        List<Token> spread = new ArrayList<>(words.size());
        for (int i = 0; i < words.size(); i++) {
            Token word = words.get(i);
            if (isMaterialized(words, i)) {
                continue;
            }
            boolean isDirection = word.kind == USING && (is(words, i + 1, LT) || is(words, i + 1, GT));
            if (!isDirection) {
                spread.add(word);
                continue;
            }
            if (is(words, i + 1, GT)) {
                spread.add(CompletedTokens.added(DESC, "DESC", word.beginLine, word.beginColumn));
            }
            i++;
        }
        return spread;
    }

    private static boolean is(List<Token> words, int place, int kind) {
        return place >= 0 && place < words.size() && words.get(place).kind == kind;
    }

    /** Whether the word is one of {@code AS [NOT] MATERIALIZED (}, but the first and the last. */
    private static boolean isMaterialized(List<Token> words, int place) {
        if (is(words, place, NOT)) {
            return is(words, place - 1, AS) && isNamedSo(words, place + 1) && isQuery(words, place + 2);
        }
        boolean isBehind = is(words, place - 1, AS) || (is(words, place - 1, NOT) && is(words, place - 2, AS));
        return isBehind && isNamedSo(words, place) && isQuery(words, place + 1);
    }

    /** Whether a query in parentheses begins, and no names of columns. */
    private static boolean isQuery(List<Token> words, int place) {
        return is(words, place, LPAREN)
                && (is(words, place + 1, SELECT)
                        || is(words, place + 1, VALUES)
                        || is(words, place + 1, WITH)
                        || is(words, place + 1, LPAREN));
    }

    private static boolean isNamedSo(List<Token> words, int place) {
        return place < words.size() && words.get(place).image.equalsIgnoreCase("MATERIALIZED");
    }
}
