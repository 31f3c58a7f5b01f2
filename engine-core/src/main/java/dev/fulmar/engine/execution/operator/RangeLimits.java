package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.ExpressionCompiler;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.Relation.WindowFrame;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a frame whose ends are values, RANGE n PRECEDING or FOLLOWING. A key and a limit are encoded alike, so
 * the order of their bytes is that of the rows; a null is beside the nulls.
 *
 * @param start of the rows' first end, null if that is no value; likewise the other end
 */
record RangeLimits(
        KeyEncoder key,
        @Nullable KeyEncoder start,
        @Nullable KeyEncoder end) {
    /** The limits of the frame; null if it has none. */
    static @Nullable RangeLimits of(WindowFrame frame, ExpressionCompiler expressions) {
        Relation.SortKey key = frame.key();
        return key == null
                ? null
                : new RangeLimits(
                        encoder(expressions.compile(key.value()), key),
                        encoder(frame.start().limit(), key, expressions),
                        encoder(frame.end().limit(), key, expressions));
    }

    private static @Nullable KeyEncoder encoder(
            @Nullable Expression limit, Relation.SortKey key, ExpressionCompiler expressions) {
        return limit == null ? null : encoder(expressions.compile(limit), key);
    }

    private static KeyEncoder encoder(Evaluator value, Relation.SortKey key) {
        return new KeyEncoder(
                List.of(KeyEncoder.sortPart(value, key.value().type(), key.descending(), key.nullsFirst())));
    }

    /** The order of the key of the frame's row and of a limit that is encoded already. */
    int compareKey(Frame frame, KeyEncoder limit) {
        key.encode(frame);
        return OffHeap.compare(key.address(), key.length(), limit.address(), limit.length());
    }
}
