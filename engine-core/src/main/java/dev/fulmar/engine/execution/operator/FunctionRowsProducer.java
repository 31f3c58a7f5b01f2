package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.BytesEvaluator;
import dev.fulmar.engine.execution.expression.DoubleEvaluator;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.ExpressionCompiler;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.expression.ValueRows;
import dev.fulmar.engine.execution.expression.WideEvaluator;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.plan.RowFunction;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Rows of functions that yield several values, side by side. Nothing is kept of a row that was passed on, so a series
 * of any length takes the memory of one row.
 */
final class FunctionRowsProducer implements Producer {
    /** A series that nothing limits ends with an error, long before a client would have waited for its end. */
    private static final long MOST_ROWS = 100_000_000;

    private final ValueRows[] functions;

    /** Whether a function has no more values; shared with the evaluators of the values. */
    private final boolean[] isOver;

    private final RowBudget budget;
    private final Consumer next;
    private long number;
    private long mark;

    /** The present row was passed on, and may not be done with. */
    private boolean isPassed;

    /** The consumer's values are read from this producer. */
    private FunctionRowsProducer(
            ValueRows[] functions, RowBudget budget, Function<FunctionRowsProducer, Consumer> next) {
        this.functions = functions;
        this.isOver = new boolean[functions.length];
        this.budget = budget;
        this.next = next.apply(this);
    }

    static Producer compile(
            RelationCompiler relations, Relation.FunctionRows rows, Function<List<Evaluator>, Consumer> next) {
        ExpressionCompiler expressions = relations.expressions(List.of());
        ValueRows[] functions = new ValueRows[rows.functions().size()];
        for (int i = 0; i < functions.length; i++) {
            RowFunction function = rows.functions().get(i);
            functions[i] = ValueRows.of(function, expressions);
        }
        TupleLayout layout = new TupleLayout(rows.columns());
        return new FunctionRowsProducer(functions, relations.context().budget(), producer -> {
            int source = relations.newSource();
            return new TupleConsumer(
                    new TupleWriter(layout, producer.values()), source, next.apply(layout.columns(source)));
        });
    }

    /** The columns of a row: the values of the functions, then its number. */
    private List<Evaluator> values() {
        List<Evaluator> values = new ArrayList<>();
        for (int i = 0; i < functions.length; i++) {
            values.add(unlessOver(functions[i].value(), i));
        }
        values.add((LongEvaluator) frame -> {
            frame.isNull = false;
            return number;
        });
        return values;
    }

    private Evaluator unlessOver(Evaluator value, int place) {
        return switch (value) {
            case LongEvaluator number ->
                (LongEvaluator) frame -> {
                    frame.isNull = isOver[place];
                    return frame.isNull ? 0 : number.evaluate(frame);
                };
            case DoubleEvaluator number ->
                (DoubleEvaluator) frame -> {
                    frame.isNull = isOver[place];
                    return frame.isNull ? 0 : number.evaluate(frame);
                };
            case WideEvaluator wide ->
                (WideEvaluator) frame -> {
                    frame.isNull = isOver[place];
                    if (!frame.isNull) {
                        wide.evaluate(frame);
                    }
                };
            case BytesEvaluator bytes ->
                (BytesEvaluator) frame -> {
                    frame.isNull = isOver[place];
                    if (!frame.isNull) {
                        bytes.evaluate(frame);
                    }
                };
        };
    }

    @Override
    public boolean run(Frame frame) {
        mark = frame.temporary.position();
        for (int i = 0; i < functions.length; i++) {
            functions[i].begin(frame);
            isOver[i] = false;
        }
        frame.temporary.reset(mark); // arguments are done with
        number = 0;
        isPassed = false;
        return goOn(frame);
    }

    @Override
    public boolean resume(Frame frame) {
        if (isPassed) {
            if (!next.resume(frame)) {
                return false;
            }
            isPassed = false;
            frame.temporary.reset(mark);
        }
        return goOn(frame);
    }

    private boolean goOn(Frame frame) {
        while (true) {
            if (budget.endsSlice()) {
                return false;
            }
            if (!advance(frame)) {
                return true;
            }
            isPassed = true;
            if (!next.accept(frame)) {
                return false;
            }
            isPassed = false;
            frame.temporary.reset(mark);
        }
    }

    /** Goes to the next row; false if no function has a value for it. */
    private boolean advance(Frame frame) {
        boolean hasValue = false;
        for (int i = 0; i < functions.length; i++) {
            isOver[i] = isOver[i] || !functions[i].next(frame);
            hasValue |= !isOver[i];
        }
        number++;
        if (hasValue && number > MOST_ROWS) {
            throw new FulmarException(
                    ErrorCode.STATEMENT_TOO_COMPLEX,
                    "a function in FROM yields more than " + MOST_ROWS
                            + " rows; ask for a part at a time, or write a LIMIT");
        }
        return hasValue;
    }
}
