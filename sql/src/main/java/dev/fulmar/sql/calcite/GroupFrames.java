package dev.fulmar.sql.calcite;

import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.AS;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.BETWEEN;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.BY;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.COMMA;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.CURRENT;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.DOT;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.FOLLOWING;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.GROUPS;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.LPAREN;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.OVER;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.PRECEDING;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.QUOTED_STRING;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.RANGE;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.ROWS;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.RPAREN;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.SELECT;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.UNBOUNDED;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.VALUES;
import static org.apache.calcite.sql.parser.babel.SqlBabelParserImplConstants.WITH;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexWindow;
import org.apache.calcite.rex.RexWindowBound;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.parser.babel.Token;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.jspecify.annotations.Nullable;

/**
 * Window frames that count groups of peers, {@code GROUPS n PRECEDING | FOLLOWING} (ISO 9075-2, 7.15), which the
 * grammar lacks. {@code GROUPS n PRECEDING} is parsed as {@code ROWS '#GROUPS n' PRECEDING}, and the literal becomes
 * the function {@link #DISTANCE} of n. A frame without such an end is one of RANGE, for both then end with peers.
 */
public final class GroupFrames {
    private static final String MARK = "#GROUPS ";

    /** A number of groups of peers. */
    static final SqlFunction DISTANCE = new SqlFunction(
            MARK.strip(), SqlKind.OTHER_FUNCTION, ReturnTypes.ARG0, null, OperandTypes.ANY, SqlFunctionCategory.SYSTEM);

    private final List<Token> words;
    /** The places behind the distances, by the places of their first words. */
    private final Map<Integer, Integer> distances = new HashMap<>();

    private GroupFrames(List<Token> words) {
        this.words = words;
    }

    /** The frame's distance in groups of peers, at one of its ends. */
    public static @Nullable RexNode distance(RexWindowBound bound) {
        return bound.getOffset() instanceof RexCall call && call.getOperator().equals(DISTANCE)
                ? call.getOperands().getFirst()
                : null;
    }

    /** Whether an end of the window's frame is at a distance in groups of peers. */
    public static boolean isOne(RexWindow window) {
        return distance(window.getLowerBound()) != null || distance(window.getUpperBound()) != null;
    }

    /** The words of the statement as the grammar knows them. */
    static List<Token> spread(List<Token> words) {
        return words.stream().anyMatch(word -> word.kind == GROUPS) ? new GroupFrames(words).spread() : words;
    }

    private List<Token> spread() {
        Deque<Boolean> areWindows = new ArrayDeque<>();
        for (int i = 0; i < words.size(); i++) {
            if (is(i, LPAREN)) {
                areWindows.push(isWindow(i));
            } else if (is(i, RPAREN)) {
                areWindows.poll();
            } else if (is(i, GROUPS) && Boolean.TRUE.equals(areWindows.peek()) && isFrame(i)) {
                frame(i);
            }
        }
        List<Token> spread = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            Token word = words.get(i);
            Integer end = distances.get(i);
            if (end == null) {
                spread.add(word);
            } else {
                String number =
                        words.subList(i, end).stream().map(each -> each.image).collect(Collectors.joining(" "));
                String literal = "'" + MARK + number.replace("'", "''") + "'";
                spread.add(CompletedTokens.added(QUOTED_STRING, literal, word.beginLine, word.beginColumn));
                i = end - 1;
            }
        }
        return spread;
    }

    /** Puts the distance in place of the literal that stands for it, if the call is such an end of a frame. */
    static void settle(SqlCall end) {
        boolean isEnd = end.getKind() == SqlKind.PRECEDING || end.getKind() == SqlKind.FOLLOWING;
        if (isEnd && end.operand(0) instanceof SqlCharStringLiteral literal) {
            String text = literal.getValueAs(String.class);
            if (text.startsWith(MARK)) {
                SqlParserPos place = literal.getParserPosition();
                String number = text.substring(MARK.length());
                if (!number.matches("\\d{1,30}")) {
                    throw SqlErrors.at(
                            ErrorCode.NOT_SUPPORTED,
                            new Position(place.getLineNum(), place.getColumnNum()),
                            "a frame of GROUPS ends at a constant whole number of groups, not at " + number);
                }
                end.setOperand(0, DISTANCE.createCall(place, SqlLiteral.createExactNumeric(number, place)));
            }
        }
    }

    /** Whether the parenthesis opens a window: that of OVER, or of WINDOW w AS. */
    private boolean isWindow(int place) {
        boolean isQuery = is(place + 1, SELECT) || is(place + 1, WITH) || is(place + 1, VALUES);
        return is(place - 1, OVER) || (is(place - 1, AS) && !isQuery);
    }

    /** Whether the word is no name: a name follows a word that wants one, and no frame follows it. */
    private boolean isFrame(int place) {
        boolean isBehindKey = !is(place - 1, BY) && !is(place - 1, COMMA) && !is(place - 1, DOT);
        boolean isEndOfKey = is(place + 1, ROWS)
                || is(place + 1, RANGE)
                || is(place + 1, GROUPS)
                || is(place + 1, COMMA)
                || is(place + 1, DOT)
                || is(place + 1, RPAREN);
        return isBehindKey && !isEndOfKey;
    }

    private void frame(int place) {
        int before = distances.size();
        if (is(place + 1, BETWEEN)) {
            end(end(place + 2) + 1); // AND is between them
        } else {
            end(place + 1);
        }
        Token word = words.get(place);
        boolean counts = distances.size() > before;
        word.kind = counts ? ROWS : RANGE;
        word.image = counts ? "ROWS" : "RANGE";
    }

    /** Notes the distance of the end that begins at the place, if it has one; returns the place behind the end. */
    private int end(int place) {
        if (is(place, CURRENT)) {
            return place + 2;
        }
        int depth = 0;
        for (int i = place; i < words.size() && depth >= 0; i++) {
            depth += is(i, LPAREN) ? 1 : is(i, RPAREN) ? -1 : 0;
            if (depth == 0 && (is(i, PRECEDING) || is(i, FOLLOWING))) {
                if (i > place && !is(place, UNBOUNDED)) {
                    distances.put(place, i);
                }
                return i + 1;
            }
        }
        return words.size();
    }

    private boolean is(int place, int kind) {
        return place >= 0 && place < words.size() && words.get(place).kind == kind;
    }
}
