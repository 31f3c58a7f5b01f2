package dev.fulmar.engine.execution.expression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Numbers that are drawn for a value of some type. */
class DrawTest {
    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);
    private static final ColumnType INTEGER = ColumnType.of(TypeKind.INTEGER);
    private static final Expression NEXT =
            new Expression.Call(ScalarFunction.NEXT_VALUE, List.of(new Expression.Literal(BIGINT, 7L)), BIGINT, false);

    private final ExpressionCompiler compiler = new ExpressionCompiler(List.of());
    private final List<Long> bounds = new ArrayList<>();

    private long evaluate(Evaluator value) {
        Frame frame = new Frame(0, new ScratchMemory(1 << 10), new ParameterSlots());
        frame.counters = table -> new Counters.Counter() {
            @Override
            public long next(long least, long greatest) {
                bounds.addAll(List.of(least, greatest));
                return table;
            }

            @Override
            public long nextRange(long wanted) {
                throw new AssertionError("no range is wanted");
            }
        };
        return ((LongEvaluator) value).evaluate(frame);
    }

    @Test
    void aNumberThatBecomesAnIntegerIsDrawnAmongThoseOfThatType() {
        Expression cast = new Expression.Call(ScalarFunction.CAST, List.of(NEXT), INTEGER, false);
        assertThat(evaluate(compiler.compile(cast))).isEqualTo(7);
        assertThat(evaluate(compiler.storedIn(NEXT, INTEGER))).isEqualTo(7);
        assertThat(bounds)
                .containsExactly((long) Integer.MIN_VALUE, (long) Integer.MAX_VALUE, (long) Integer.MIN_VALUE, (long)
                        Integer.MAX_VALUE);
    }

    @Test
    void anyOtherNumberIsDrawnAmongAll() {
        assertThat(evaluate(compiler.compile(NEXT))).isEqualTo(7);
        assertThat(evaluate(compiler.storedIn(NEXT, BIGINT))).isEqualTo(7);
        assertThat(bounds).containsExactly(Long.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE);
    }
}
