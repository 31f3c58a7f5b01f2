package dev.fulmar.sql.calcite;

import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.COMMA;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.DELETE;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.EXCEPT;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.FETCH;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.FROM;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.GROUP;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.HAVING;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.INTERSECT;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.JOIN;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.LATERAL;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.LIMIT;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.LPAREN;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.OFFSET;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.ORDER;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.ORDINALITY;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.QUOTED_IDENTIFIER;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.ROWS;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.RPAREN;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.SELECT;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.TABLE;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.UNION;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.UNNEST;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.UPDATE;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.WHERE;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.WINDOW;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.WITH;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.calcite.sql.parser.babel.Token;

/**
 * Calls of functions that yield several rows, as the grammar takes them. {@code FROM generate_series(1, 3)} becomes
 * {@code FROM LATERAL TABLE("#ROWS"(generate_series(1, 3)))}, which {@link RowFunctions} knows. UNNEST, which is a word
 * of the grammar, becomes a name.
 */
final class RowFunctionWords {
    private static final Pattern WORDS = Pattern.compile("\\b(?:GENERATE_SERIES|UNNEST)\\b", Pattern.CASE_INSENSITIVE);

    private final List<Token> words;
    private final List<Token> spread = new ArrayList<>();

    /** For each parenthesis that is open, and outside of all, whether tables are named there. */
    private final Deque<Boolean> areTables = new ArrayDeque<>(List.of(false));

    /** Parentheses that come behind the words at the places. */
    private final Map<Integer, String> ends = new HashMap<>();

    /** Whether the statement is a change, of which tables are named outside of a query. */
    private final boolean isChange;

    private RowFunctionWords(List<Token> words) {
        this.words = words;
        int first = words.getFirst().kind;
        isChange = first == UPDATE || first == DELETE;
    }

    /** Whether the text may call such a function. */
    static boolean mayBeIn(String text) {
        return WORDS.matcher(text).find();
    }

    /** The words of the statement as the grammar knows them. */
    static List<Token> spread(List<Token> words) {
        return words.stream().anyMatch(RowFunctionWords::isFunction) ? new RowFunctionWords(words).spread() : words;
    }

    private static boolean isFunction(Token word) {
        return word.kind == UNNEST || word.image.toUpperCase(Locale.ROOT).equals(RowFunctions.SERIES_NAME);
    }

    private boolean is(int place, int kind) {
        return place >= 0 && place < words.size() && words.get(place).kind == kind;
    }

    private List<Token> spread() {
        for (int i = 0; i < words.size(); i++) {
            if (isTable(i) && isCall(i)) {
                open(i, CompletedTokens.closing(words, i + 1), "((", "))");
            } else if (isTable(i) && is(i, ROWS) && is(i + 1, FROM) && is(i + 2, LPAREN)) {
                open(i, CompletedTokens.closing(words, i + 2), "(", ")");
                i += 2;
                areTables.push(false);
                spread.add(words.get(i));
                continue;
            }
            note(i);
            add(i);
            String behind = ends.remove(i);
            if (behind != null) {
                add(behind, RPAREN, words.get(i));
                i += isNumbered(i) ? 2 : 0;
            }
        }
        return spread;
    }

    private boolean isNumbered(int last) {
        return is(last + 1, WITH) && is(last + 2, ORDINALITY);
    }

    /** Adds what comes before the functions, of which the last word is known, and notes what comes behind them. */
    private void open(int first, int last, String before, String behind) {
        Token word = words.get(first);
        if (!is(first - 1, LATERAL)) {
            spread.add(made(LATERAL, "LATERAL", word));
        }
        spread.add(made(TABLE, "TABLE", word));
        spread.add(made(LPAREN, "(", word));
        String name = isNumbered(last) ? RowFunctions.NUMBERED_NAME : RowFunctions.ROWS_NAME;
        spread.add(made(QUOTED_IDENTIFIER, '"' + name + '"', word));
        add(before.substring(1), LPAREN, word);
        ends.put(last, behind);
    }

    private void add(String parentheses, int kind, Token beside) {
        for (int i = 0; i < parentheses.length(); i++) {
            spread.add(made(kind, parentheses.substring(i, i + 1), beside));
        }
    }

    private boolean isCall(int place) {
        return isFunction(words.get(place)) && is(place + 1, LPAREN);
    }

    /** Whether a table may be named at the place. */
    private boolean isTable(int place) {
        boolean isBehind = is(place - 1, FROM)
                || is(place - 1, JOIN)
                || is(place - 1, COMMA)
                || is(place - 1, LATERAL)
                || is(place - 1, LPAREN);
        return isBehind && areTables.getFirst();
    }

    /** Notes which part of a query the word begins. */
    private void note(int place) {
        switch (words.get(place).kind) {
            case LPAREN -> areTables.push(isTable(place));
            case RPAREN -> {
                if (areTables.size() > 1) {
                    areTables.pop();
                }
            }
            case SELECT, WHERE, GROUP, HAVING, WINDOW, ORDER, LIMIT, OFFSET, FETCH, UNION, INTERSECT, EXCEPT ->
                set(false);
            case FROM -> {
                boolean isOfQuery = isOfQuery(place);
                if (isOfQuery) {
                    set(true);
                }
            }
            default -> {
                // The part goes on.
            }
        }
    }

    /** Whether FROM begins the tables of a query, and is no word of a call. */
    private boolean isOfQuery(int place) {
        int depth = 0;
        for (int i = place - 1; i >= 0; i--) {
            int kind = words.get(i).kind;
            if (kind == RPAREN) {
                depth++;
            } else if (kind == LPAREN && depth-- == 0) {
                return false;
            } else if (depth == 0 && kind == SELECT) {
                return true;
            }
        }
        return isChange;
    }

    private void set(boolean isIt) {
        areTables.pop();
        areTables.push(isIt);
    }

    private void add(int place) {
        Token word = words.get(place);
        boolean isElements = word.kind == UNNEST && is(place + 1, LPAREN);
        spread.add(isElements ? made(QUOTED_IDENTIFIER, '"' + RowFunctions.ELEMENTS_NAME + '"', word) : word);
    }

    private static Token made(int kind, String image, Token beside) {
        return CompletedTokens.added(kind, image, beside.beginLine, beside.beginColumn);
    }
}
