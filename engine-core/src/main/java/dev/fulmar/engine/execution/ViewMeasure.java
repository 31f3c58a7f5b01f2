package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.execution.expression.BytesEvaluator;
import dev.fulmar.engine.execution.expression.Comparisons;
import dev.fulmar.engine.execution.expression.DoubleEvaluator;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.ExpressionCompiler;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.expression.Nulls;
import dev.fulmar.engine.execution.expression.WideEvaluator;
import dev.fulmar.engine.execution.value.WideOrder;
import dev.fulmar.engine.execution.value.WideValue;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.foundation.check.Invariants;

/**
 * Updates one aggregate column (COUNT, SUM, MIN or MAX) of a materialized view's row when a source row comes or goes.
 * The view's row is an image; the frame has the row of the source.
 */
sealed interface ViewMeasure {
    static ViewMeasure of(Aggregation.Measure measure, int column, RowLayout layout, ExpressionCompiler expressions) {
        if (measure.argument().isEmpty()) {
            return new RowCount(column, layout);
        }
        Expression argument = measure.argument().get();
        return switch (measure.function()) {
            case COUNT -> new ValueCount(column, layout, expressions.compile(argument));
            case SUM -> new Sum(column, layout, expressions.compile(argument));
            case MIN -> new Extreme(column, layout, expressions.storedIn(argument, measure.type()), -1);
            case MAX -> new Extreme(column, layout, expressions.storedIn(argument, measure.type()), 1);
        };
    }

    int column();

    /** There is no row yet. */
    void begin(RowImage image);

    /** A row comes. */
    void add(Frame frame, RowImage image);

    /** A row goes; returns whether what is left must be found anew. */
    boolean subtract(Frame frame, RowImage image);

    /** Whether the row's value is the one that is kept, so that it needs no search. */
    default boolean holds(Frame frame, RowImage image) {
        return true;
    }

    /** The number of rows. */
    record RowCount(int column, RowLayout layout) implements ViewMeasure {
        @Override
        public void begin(RowImage image) {
            image.setLong(column, 0);
        }

        @Override
        public void add(Frame frame, RowImage image) {
            image.setLong(column, layout.getLong(image.address(), column) + 1);
        }

        @Override
        public boolean subtract(Frame frame, RowImage image) {
            image.setLong(column, layout.getLong(image.address(), column) - 1);
            return false;
        }
    }

    /** The number of rows with a value. */
    record ValueCount(int column, RowLayout layout, Evaluator argument) implements ViewMeasure {
        @Override
        public void begin(RowImage image) {
            image.setLong(column, 0);
        }

        @Override
        public void add(Frame frame, RowImage image) {
            change(frame, image, 1);
        }

        @Override
        public boolean subtract(Frame frame, RowImage image) {
            change(frame, image, -1);
            return false;
        }

        private void change(Frame frame, RowImage image, int by) {
            Nulls.evaluate(argument, frame);
            if (!frame.isNull) {
                long count = layout.getLong(image.address(), column) + by;
                Invariants.check(count >= 0, "a view takes back no more values of a group than it has counted");
                image.setLong(column, count);
            }
        }
    }

    /** The sum of exact numbers in 128 bits, so that what was added can be taken away. */
    record Sum(int column, RowLayout layout, Evaluator argument) implements ViewMeasure {
        @Override
        public void begin(RowImage image) {
            image.setWide(column, 0, 0);
        }

        @Override
        public void add(Frame frame, RowImage image) {
            change(frame, image, true);
        }

        @Override
        public boolean subtract(Frame frame, RowImage image) {
            change(frame, image, false);
            return false;
        }

        private void change(Frame frame, RowImage image, boolean comes) {
            WideValue sum = frame.wide;
            switch (argument) {
                case LongEvaluator number -> sum.set(number.evaluate(frame));
                case WideEvaluator number -> number.evaluate(frame);
                case DoubleEvaluator other -> throw Invariants.breach("sums that are kept are of exact numbers");
                case BytesEvaluator other -> throw Invariants.breach("sums are of numbers");
            }
            if (frame.isNull) {
                return;
            }
            long high = sum.high();
            long low = sum.low();
            sum.set(layout.wideHigh(image.address(), column), layout.wideLow(image.address(), column));
            if (comes) {
                sum.add(high, low);
            } else {
                sum.subtract(high, low);
            }
            image.setWide(column, sum.high(), sum.low());
        }
    }

    /** The least (direction -1) or greatest (1) value, null if there is none. */
    record Extreme(int column, RowLayout layout, Evaluator argument, int direction) implements ViewMeasure {
        @Override
        public void begin(RowImage image) {
            image.setNull(column);
        }

        @Override
        public void add(Frame frame, RowImage image) {
            long number = evaluate(frame);
            boolean isBetter = !frame.isNull
                    && (RowLayout.isNull(image.address(), column)
                            || compare(frame, image.address(), number) * direction > 0);
            if (isBetter) {
                store(frame, image, number);
            }
        }

        @Override
        public boolean subtract(Frame frame, RowImage image) {
            return holds(frame, image);
        }

        @Override
        public boolean holds(Frame frame, RowImage image) {
            long number = evaluate(frame);
            return !frame.isNull
                    && !RowLayout.isNull(image.address(), column)
                    && compare(frame, image.address(), number) == 0;
        }

        /**
         * The number evaluated, as bits; other values stay in the frame. Of the two zeros it is always the same one.
         */
        private long evaluate(Frame frame) {
            return switch (argument) {
                case LongEvaluator value -> value.evaluate(frame);
                case DoubleEvaluator value -> {
                    double number = value.evaluate(frame);
                    yield Double.doubleToLongBits(number == 0 ? 0.0 : number);
                }
                case WideEvaluator value -> {
                    value.evaluate(frame);
                    yield 0;
                }
                case BytesEvaluator value -> {
                    value.evaluate(frame);
                    yield 0;
                }
            };
        }

        private int compare(Frame frame, long row, long number) {
            return switch (argument) {
                case LongEvaluator value -> Long.compare(number, layout.getLong(row, column));
                case DoubleEvaluator value ->
                    Comparisons.compare(Double.longBitsToDouble(number), layout.getDouble(row, column));
                case WideEvaluator value ->
                    WideOrder.of(layout.type(column))
                            .compare(
                                    frame.wide.high(),
                                    frame.wide.low(),
                                    layout.wideHigh(row, column),
                                    layout.wideLow(row, column));
                case BytesEvaluator value ->
                    OffHeap.compare(
                            frame.bytesAddress,
                            frame.bytesLength,
                            layout.bytesAddress(row, column),
                            layout.bytesLength(row, column));
            };
        }

        private void store(Frame frame, RowImage image, long number) {
            switch (argument) {
                case LongEvaluator value -> image.setLong(column, number);
                case DoubleEvaluator value -> image.setDouble(column, Double.longBitsToDouble(number));
                case WideEvaluator value -> image.setWide(column, frame.wide.high(), frame.wide.low());
                case BytesEvaluator value -> image.setBytes(column, frame.bytesAddress, frame.bytesLength);
            }
        }
    }
}
