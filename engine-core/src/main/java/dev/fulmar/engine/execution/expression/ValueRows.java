package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.RowFunction;
import dev.fulmar.foundation.data.ArrayReader;
import dev.fulmar.foundation.data.ColumnType;
import java.util.List;

/** The values of a function that yields several, one after another. Of one statement on one partition, one thread. */
public abstract class ValueRows {
    /** The values of the call. */
    public static ValueRows of(RowFunction function, ExpressionCompiler expressions) {
        List<Expression> arguments = function.arguments();
        return switch (function.kind()) {
            case SERIES -> SeriesValues.series(function, expressions);
            case ELEMENTS ->
                new Elements(
                        (BytesEvaluator) expressions.compile(arguments.getFirst()),
                        arguments.getFirst().type().element());
        };
    }

    /** Evaluates the arguments, and stands before the first value. */
    public abstract void begin(Frame frame);

    /** Goes to the next value; false if there is none. */
    public abstract boolean next(Frame frame);

    /** The value at which it stands. */
    public abstract Evaluator value();

    /** The elements of an array; of null there are none. */
    private static final class Elements extends ValueRows {
        private static final byte[] NONE = {};

        private final BytesEvaluator array;
        private final ArrayReader reader;
        private final Evaluator value;

        Elements(BytesEvaluator array, ColumnType element) {
            this.array = array;
            this.reader = new ArrayReader(element);
            this.value = ArrayElements.current(reader, element);
        }

        @Override
        public void begin(Frame frame) {
            array.evaluate(frame);
            byte[] bytes = frame.isNull ? NONE : ArrayElements.loaded(frame);
            reader.wrap(bytes, 0, bytes.length);
        }

        @Override
        public boolean next(Frame frame) {
            return reader.next();
        }

        @Override
        public Evaluator value() {
            return value;
        }
    }
}
