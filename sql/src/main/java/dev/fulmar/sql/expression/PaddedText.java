package dev.fulmar.sql.expression;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.util.List;

/** A CHAR(n) with the blanks that make it n characters, which no row stores. */
public final class PaddedText {
    private PaddedText() {}

    /** The text with its blanks if it is a CHAR, else as it is. */
    static Expression of(Expression text) {
        ColumnType type = text.type();
        if (type.kind() != TypeKind.CHAR) {
            return text;
        }
        Expression length = new Expression.Literal(Expressions.BIGINT, (long) type.precision());
        Expression blank = new Expression.Literal(ColumnType.varchar(1), " ");
        return new Expression.Call(
                ScalarFunction.PAD_RIGHT,
                List.of(text, length, blank),
                ColumnType.varchar(type.precision()),
                text.nullable());
    }

    /** The characters as a CHAR holds them. */
    public static String withoutBlanks(String characters) {
        int end = characters.length();
        while (end > 0 && characters.charAt(end - 1) == ' ') {
            end--;
        }
        return characters.substring(0, end);
    }

    /** The CHAR that has been given its blanks, or the text as it is. */
    public static Expression without(Expression text) {
        return isPadded(text) ? ((Expression.Call) text).arguments().getFirst() : text;
    }

    /** Whether the text is a CHAR that has been given its blanks. */
    public static boolean isPadded(Expression text) {
        return text instanceof Expression.Call call
                && call.function() == ScalarFunction.PAD_RIGHT
                && call.equals(of(call.arguments().getFirst()));
    }
}
