package dev.fulmar.sql.planner;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.sql.expression.Expressions;
import dev.fulmar.sql.expression.PaddedText;
import java.util.ArrayList;
import java.util.List;

/**
 * The range of texts that {@code x LIKE 'abc%'} leaves: from 'abc' up to, and without, 'abd'. The pattern itself is
 * still to be checked.
 */
final class LikePrefix {
    /** Up to here the next character comes next in any order of characters. */
    private static final char LAST_WITH_NEXT = '\uD7FE';

    private LikePrefix() {}

    /**
     * Comparisons that hold where the text is like the pattern; none if it is not a constant, or begins with % or _.
     */
    static List<Expression.Call> bounds(Expression text, Expression pattern) {
        List<Expression.Call> bounds = new ArrayList<>();
        if (pattern instanceof Expression.Literal literal && literal.value() instanceof String characters) {
            Expression subject = PaddedText.without(text);
            String prefix = characters.substring(0, prefixLength(characters));
            if (PaddedText.isPadded(text)) {
                // Blanks of the pattern may be those at the end, which are not stored.
                prefix = PaddedText.withoutBlanks(prefix);
            }
            if (!prefix.isEmpty()) {
                bounds.add(compared(ScalarFunction.GREATER_OR_EQUAL, subject, literal, prefix));
                char last = prefix.charAt(prefix.length() - 1);
                if (last <= LAST_WITH_NEXT) {
                    String beyond = prefix.substring(0, prefix.length() - 1) + (char) (last + 1);
                    bounds.add(compared(ScalarFunction.LESS, subject, literal, beyond));
                }
            }
        }
        return bounds;
    }

    private static int prefixLength(String pattern) {
        int length = 0;
        while (length < pattern.length() && pattern.charAt(length) != '%' && pattern.charAt(length) != '_') {
            length++;
        }
        return length;
    }

    private static Expression.Call compared(
            ScalarFunction function, Expression text, Expression.Literal pattern, String value) {
        return Expressions.strict(function, Expressions.BOOLEAN, text, new Expression.Literal(pattern.type(), value));
    }
}
