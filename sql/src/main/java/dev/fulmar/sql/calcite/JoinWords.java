package dev.fulmar.sql.calcite;

import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.AS;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.COMMA;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.CROSS;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.DELETE;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.EOF;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.FROM;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.FULL;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.IDENTIFIER;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.INNER;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.JOIN;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.LBRACKET;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.LEFT;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.LPAREN;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.NATURAL;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.ON;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.OUTER;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.QUOTED_IDENTIFIER;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.RBRACKET;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.RIGHT;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.RPAREN;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.SELECT;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.STAR;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.UPDATE;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.USING;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.VALUES;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.WITH;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.sql.parser.babel.Token;

/**
 * Joins whose condition stands behind that of another join, {@code a JOIN b JOIN c ON x ON y}. The inner join gets the
 * parentheses that the grammar asks for: {@code a JOIN (b JOIN c ON x) ON y}. A join with other names, {@code (a JOIN
 * b ON x) AS j (p, q)}, becomes {@code (SELECT * FROM a JOIN b ON x) AS j (p, q)}: the names of its tables are not seen
 * outside (ISO 9075-2, 7.6). It names all its columns, for both tables may have one of a name.
 */
final class JoinWords {
    private static final Pattern JOINS = Pattern.compile("\\bJOIN\\b", Pattern.CASE_INSENSITIVE);

    private final List<Token> words;
    private final Map<Integer, Integer> opened = new HashMap<>();
    private final Map<Integer, Integer> closed = new HashMap<>();

    private JoinWords(List<Token> words) {
        this.words = words;
    }

    /** Whether the text may have such a join. */
    static boolean mayBeIn(String text) {
        Matcher join = JOINS.matcher(text);
        return join.find() && (join.find() || text.indexOf('(') >= 0);
    }

    /** The words of the statement as the grammar knows them. */
    static List<Token> spread(List<Token> words) {
        JoinWords joins = new JoinWords(words);
        for (int i = 0; i < words.size(); i++) {
            if (words.get(i).kind == JOIN && joins.beginsTables(i)) {
                joins.tables(joins.start(i));
            }
        }
        List<Token> complete = joins.opened.isEmpty() ? words : joins.complete();
        return new JoinWords(complete).named();
    }

    /** Joins in parentheses that have another name are queries. */
    private List<Token> named() {
        List<Token> all = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            Token word = words.get(i);
            all.add(word);
            if (word.kind == LPAREN && isNamedJoin(i)) {
                all.add(CompletedTokens.added(SELECT, "SELECT", word.endLine, word.endColumn));
                all.add(CompletedTokens.added(STAR, "*", word.endLine, word.endColumn));
                all.add(CompletedTokens.added(FROM, "FROM", word.endLine, word.endColumn));
            }
        }
        return all;
    }

    private boolean isNamedJoin(int open) {
        int close = CompletedTokens.closing(words, open);
        int name = is(close + 1, AS) ? close + 2 : close + 1;
        boolean isNamed = (is(name, IDENTIFIER) || is(name, QUOTED_IDENTIFIER)) && is(name + 1, LPAREN);
        for (int i = open + 1; isNamed && i < close; i++) {
            if (is(i, LPAREN) || is(i, LBRACKET)) {
                i = CompletedTokens.closing(words, i);
            } else if (is(i, SELECT) || is(i, WITH) || is(i, VALUES) || is(i, UPDATE) || is(i, DELETE)) {
                return false;
            } else if (is(i, JOIN)) {
                return true;
            }
        }
        return false;
    }

    private boolean is(int place, int kind) {
        return place >= 0 && place < words.size() && words.get(place).kind == kind;
    }

    /** Whether the join is the first of those that stand side by side. */
    private boolean beginsTables(int join) {
        int start = start(join);
        for (int i = start; i < join; i++) {
            if (is(i, LPAREN) || is(i, LBRACKET)) {
                i = CompletedTokens.closing(words, i);
            } else if (is(i, JOIN)) {
                return false;
            }
        }
        return true;
    }

    /** The place of the first word of the tables that the join is one of. */
    private int start(int join) {
        int depth = 0;
        for (int i = join - 1; i >= 0; i--) {
            int kind = words.get(i).kind;
            if (kind == RPAREN || kind == RBRACKET) {
                depth++;
            } else if (kind == LPAREN || kind == LBRACKET) {
                if (depth-- == 0) {
                    return i + 1;
                }
            } else if (depth == 0 && (kind == FROM || kind == COMMA || kind == SELECT)) {
                return i + 1;
            }
        }
        return 0;
    }

    /** Reads a table and the joins behind it whose conditions follow them; returns the place behind. */
    private int tables(int start) {
        int place = table(start);
        while (true) {
            int right = joined(place);
            if (right < 0) {
                return place;
            }
            boolean needsCondition = !is(place, CROSS) && !is(place, NATURAL);
            int behind = table(right);
            if (!needsCondition) {
                place = behind;
                continue;
            }
            int end = tables(right);
            boolean hasCondition = is(end, ON) || is(end, USING);
            if (end > behind && hasCondition) {
                opened.merge(right, 1, Integer::sum);
                closed.merge(end - 1, 1, Integer::sum);
            }
            place = hasCondition ? condition(end) : behind;
        }
    }

    /** The place of the table behind the words of a join; negative if none comes. */
    private int joined(int place) {
        int at = place;
        while (is(at, NATURAL)
                || is(at, CROSS)
                || is(at, INNER)
                || is(at, LEFT)
                || is(at, RIGHT)
                || is(at, FULL)
                || is(at, OUTER)) {
            at++;
        }
        return is(at, JOIN) ? at + 1 : -1;
    }

    /** The place behind a table with its names. */
    private int table(int start) {
        int place = start;
        while (place < words.size() && !ends(place)) {
            place = is(place, LPAREN) || is(place, LBRACKET) ? CompletedTokens.closing(words, place) + 1 : place + 1;
        }
        return place;
    }

    /** Whether a table with its names ends before the word; behind AS any word is a name. */
    private boolean ends(int place) {
        return endsJoin(place) || (isPart(place) && !is(place - 1, AS));
    }

    /** Whether the word begins another table or a condition, or ends all tables. */
    private boolean endsJoin(int place) {
        return is(place, EOF)
                || is(place, RPAREN)
                || is(place, COMMA)
                || is(place, ON)
                || is(place, USING)
                || joined(place) >= 0;
    }

    private boolean isPart(int place) {
        return switch (words.get(place).image.toUpperCase(Locale.ROOT)) {
            case "WHERE",
                    "GROUP",
                    "HAVING",
                    "WINDOW",
                    "ORDER",
                    "LIMIT",
                    "OFFSET",
                    "FETCH",
                    "UNION",
                    "INTERSECT",
                    "EXCEPT",
                    "FOR",
                    "SET",
                    "WHEN",
                    "RETURNING",
                    "QUALIFY" -> true;
            default -> false;
        };
    }

    /** The place behind a condition. */
    private int condition(int start) {
        int place = start + 1;
        if (is(start, USING)) {
            return is(place, LPAREN) ? CompletedTokens.closing(words, place) + 1 : place;
        }
        while (place < words.size() && !endsCondition(place)) {
            place = is(place, LPAREN) || is(place, LBRACKET) ? CompletedTokens.closing(words, place) + 1 : place + 1;
        }
        return place;
    }

    private boolean endsCondition(int place) {
        return endsJoin(place) || isPart(place);
    }

    private List<Token> complete() {
        List<Token> all = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            Token word = words.get(i);
            for (int n = opened.getOrDefault(i, 0); n > 0; n--) {
                all.add(CompletedTokens.added(LPAREN, "(", word.beginLine, word.beginColumn));
            }
            all.add(word);
            for (int n = closed.getOrDefault(i, 0); n > 0; n--) {
                all.add(CompletedTokens.added(RPAREN, ")", word.endLine, word.endColumn));
            }
        }
        return all;
    }
}
