package dev.fulmar.sql.calcite;

import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.CASE;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.COMMA;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.DISTINCT;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.END;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.EOF;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.EQ;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.FROM;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.LBRACKET;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.LPAREN;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.QUOTED_IDENTIFIER;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.RETURNING;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.ROW;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.RPAREN;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.SELECT;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.SET;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.UNSIGNED_INTEGER_LITERAL;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.VALUES;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.WHEN;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.WHERE;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.WITH;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.parser.babel.Token;

/**
 * {@code SET (a, b) = (x, y)} becomes {@code SET a = x, b = y} (ISO 9075-2, 14.15). The words keep their order but for
 * those of the lists, and their positions. Where a query yields the values, the columns are marked for
 * {@link SetQueries}.
 */
final class SetLists {
    private final List<Token> words;
    private final List<Token> spread = new ArrayList<>();

    private SetLists(List<Token> words) {
        this.words = words;
    }

    /** The words of the statement; those that were given if there is no such list. */
    static List<Token> spread(List<Token> words) {
        for (int i = 0; i + 1 < words.size(); i++) {
            if (words.get(i).kind == SET) {
                SetLists lists = new SetLists(words);
                return lists.assignments(i + 1) ? lists.spread : words;
            }
        }
        return words;
    }

    private boolean assignments(int first) {
        spread.addAll(words.subList(0, first));
        int place = first;
        while (true) {
            int end = is(place, LPAREN) ? list(place) : plain(place);
            if (end < 0) {
                return false;
            }
            if (!is(end, COMMA)) {
                if (!isBehind(end)) {
                    return false; // so the words say something else
                }
                spread.addAll(words.subList(end, words.size()));
                return true;
            }
            spread.add(words.get(end));
            place = end + 1;
        }
    }

    /** Takes one assignment as it is; returns the place behind it. */
    private int plain(int start) {
        int end = endOfItem(start);
        spread.addAll(words.subList(start, end));
        return end;
    }

    /** Takes a list of columns and a list of values apart; negative if they are no such lists. */
    private int list(int open) {
        int close = closing(open);
        if (is(close, RPAREN) && is(close + 1, EQ) && isQuery(close + 2)) {
            return query(open, close);
        }
        int values = is(close + 2, ROW) ? close + 3 : close + 2;
        boolean areLists = is(close, RPAREN) && is(close + 1, EQ) && is(values, LPAREN) && !isQuery(values);
        if (!areLists) {
            return -1;
        }
        int end = closing(values);
        List<List<Token>> columns = items(open + 1, close);
        List<List<Token>> items = items(values + 1, end);
        if (!is(end, RPAREN) || columns.isEmpty() || columns.size() != items.size()) {
            return -1;
        }
        for (int i = 0; i < columns.size(); i++) {
            if (i > 0) {
                Token before = columns.get(i).getFirst();
                spread.add(CompletedTokens.added(COMMA, ",", before.beginLine, before.beginColumn));
            }
            spread.addAll(columns.get(i));
            Token value = items.get(i).getFirst();
            spread.add(CompletedTokens.added(EQ, "=", value.beginLine, value.beginColumn));
            spread.addAll(items.get(i));
        }
        return end + 1;
    }

    private boolean isQuery(int open) {
        return is(open, LPAREN) && (is(open + 1, SELECT) || is(open + 1, WITH) || is(open + 1, VALUES));
    }

    /** Marks each column with its number, and the first one with the query. */
    private int query(int open, int close) {
        int end = closing(close + 2);
        List<List<Token>> columns = items(open + 1, close);
        if (!is(end, RPAREN) || columns.isEmpty()) {
            return -1;
        }
        for (int i = 0; i < columns.size(); i++) {
            Token column = columns.get(i).getFirst();
            int line = column.beginLine;
            int place = column.beginColumn;
            if (i > 0) {
                spread.add(CompletedTokens.added(COMMA, ",", line, place));
            }
            spread.addAll(columns.get(i));
            spread.add(CompletedTokens.added(EQ, "=", line, place));
            spread.add(CompletedTokens.added(QUOTED_IDENTIFIER, '"' + SetQueries.MARK + '"', line, place));
            spread.add(CompletedTokens.added(LPAREN, "(", line, place));
            spread.add(CompletedTokens.added(UNSIGNED_INTEGER_LITERAL, String.valueOf(i), line, place));
            if (i == 0) {
                spread.add(CompletedTokens.added(COMMA, ",", line, place));
                spread.addAll(words.subList(close + 2, end + 1));
            }
            spread.add(CompletedTokens.added(RPAREN, ")", line, place));
        }
        return end + 1;
    }

    /** The items between two places, none of which is empty; else no items. */
    private List<List<Token>> items(int start, int end) {
        List<List<Token>> items = new ArrayList<>();
        int place = start;
        while (place < end) {
            int behind = Math.min(end, endOfItem(place));
            if (behind == place || !(behind == end || is(behind, COMMA))) {
                return List.of();
            }
            items.add(words.subList(place, behind));
            place = behind + 1;
        }
        return items;
    }

    /** Whether the assignments are over. */
    private boolean isBehind(int place) {
        return is(place, EOF)
                || is(place, WHERE)
                || is(place, RETURNING)
                || is(place, WHEN)
                || (is(place, FROM) && !is(place - 1, DISTINCT));
    }

    /** The place of what ends an item: a comma, a parenthesis, or the end of the assignments. */
    private int endOfItem(int start) {
        int place = start;
        int cases = 0; // whose WHEN is not that of a MERGE
        while (!is(place, EOF) && (cases > 0 || !(is(place, COMMA) || is(place, RPAREN) || isBehind(place)))) {
            cases += is(place, CASE) ? 1 : is(place, END) ? -1 : 0;
            place = is(place, LPAREN) || is(place, LBRACKET) ? closing(place) + 1 : place + 1;
        }
        return Math.min(place, words.size() - 1);
    }

    private int closing(int open) {
        return CompletedTokens.closing(words, open);
    }

    private boolean is(int place, int kind) {
        return place >= words.size() ? kind == EOF : words.get(place).kind == kind;
    }
}
