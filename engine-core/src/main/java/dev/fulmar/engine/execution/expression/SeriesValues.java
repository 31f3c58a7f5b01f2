package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.value.IntervalArithmetic;
import dev.fulmar.engine.execution.value.Temporals;
import dev.fulmar.engine.execution.value.WideValue;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.RowFunction;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Numbers or moments from a first one to a last one, by a step, as generate_series of PostgreSQL yields them. A number
 * that would not fit ends a series.
 */
abstract class SeriesValues extends ValueRows {
    private static final int ZONE = 3;

    /** Whether the value that comes next is none any more. */
    private boolean isOver;

    static SeriesValues series(RowFunction function, ExpressionCompiler expressions) {
        ColumnType type = function.type();
        List<Expression> arguments = function.arguments();
        Evaluator first = expressions.as(arguments.getFirst(), type);
        Evaluator last = expressions.as(arguments.get(1), type);
        if (isMoment(type)) {
            return new Moments(
                    (LongEvaluator) first,
                    (LongEvaluator) last,
                    (WideEvaluator) expressions.compile(arguments.get(2)),
                    type,
                    zone(arguments));
        }
        return switch (type.storage()) {
            case LONG ->
                new Numbers((LongEvaluator) first, (LongEvaluator) last, (LongEvaluator)
                        expressions.as(arguments.get(2), type));
            case WIDE ->
                new LongNumbers((WideEvaluator) first, (WideEvaluator) last, (WideEvaluator)
                        expressions.as(arguments.get(2), type));
            default -> throw Invariants.breach("a series is of exact numbers or moments");
        };
    }

    private static boolean isMoment(ColumnType type) {
        return type.kind() == TypeKind.TIMESTAMP || type.kind() == TypeKind.TIMESTAMP_TZ;
    }

    private static Zones.@Nullable Zone zone(List<Expression> arguments) {
        return arguments.size() > ZONE && arguments.get(ZONE) instanceof Expression.Literal(ColumnType _, String name)
                ? Zones.Zone.named(name)
                : null;
    }

    /** Evaluates the arguments; false if one is null. */
    abstract boolean evaluate(Frame frame);

    /** Whether the value that comes next lies behind the last one. */
    abstract boolean isBehindLast();

    /** Takes the value that comes next, and adds the step for the one after it; false if that does not fit. */
    abstract boolean step(Frame frame);

    @Override
    public final void begin(Frame frame) {
        isOver = !evaluate(frame);
    }

    @Override
    public final boolean next(Frame frame) {
        if (isOver || isBehindLast()) {
            return false;
        }
        isOver = !step(frame);
        return true;
    }

    private static FulmarException standsStill() {
        return new FulmarException(
                ErrorCode.INVALID_ARGUMENT, "the step of generate_series is zero; leave it out, or give another one");
    }

    /** Integers, and decimals of few digits. */
    private static final class Numbers extends SeriesValues {
        private final LongEvaluator first;
        private final LongEvaluator last;
        private final LongEvaluator step;
        private long following;
        private long end;
        private long distance;
        private long current;

        Numbers(LongEvaluator first, LongEvaluator last, LongEvaluator step) {
            this.first = first;
            this.last = last;
            this.step = step;
        }

        @Override
        boolean evaluate(Frame frame) {
            following = first.evaluate(frame);
            if (frame.isNull) {
                return false;
            }
            end = last.evaluate(frame);
            if (frame.isNull) {
                return false;
            }
            distance = step.evaluate(frame);
            if (frame.isNull) {
                return false;
            }
            if (distance == 0) {
                throw standsStill();
            }
            return true;
        }

        @Override
        boolean isBehindLast() {
            return distance > 0 ? following > end : following < end;
        }

        @Override
        boolean step(Frame frame) {
            current = following;
            following += distance;
            return ((current ^ following) & (distance ^ following)) >= 0;
        }

        @Override
        public Evaluator value() {
            return (LongEvaluator) frame -> {
                frame.isNull = false;
                return current;
            };
        }
    }

    /** Decimals of many digits. */
    private static final class LongNumbers extends SeriesValues {
        private final WideEvaluator first;
        private final WideEvaluator last;
        private final WideEvaluator step;
        private final WideValue following = new WideValue();
        private final WideValue end = new WideValue();
        private final WideValue distance = new WideValue();
        private final WideValue current = new WideValue();

        LongNumbers(WideEvaluator first, WideEvaluator last, WideEvaluator step) {
            this.first = first;
            this.last = last;
            this.step = step;
        }

        @Override
        boolean evaluate(Frame frame) {
            if (!evaluate(first, following, frame) || !evaluate(last, end, frame) || !evaluate(step, distance, frame)) {
                return false;
            }
            if (distance.high() == 0 && distance.low() == 0) {
                throw standsStill();
            }
            return true;
        }

        private static boolean evaluate(WideEvaluator argument, WideValue into, Frame frame) {
            argument.evaluate(frame);
            into.set(frame.wide.high(), frame.wide.low());
            return !frame.isNull;
        }

        @Override
        boolean isBehindLast() {
            int order = WideValue.compare(following.high(), following.low(), end.high(), end.low());
            return distance.high() >= 0 ? order > 0 : order < 0;
        }

        @Override
        boolean step(Frame frame) {
            current.set(following.high(), following.low());
            try {
                following.add(distance.high(), distance.low());
            } catch (FulmarException tooLong) {
                return false;
            }
            return true;
        }

        @Override
        public Evaluator value() {
            return (WideEvaluator) frame -> {
                frame.isNull = false;
                frame.wide.set(current.high(), current.low());
            };
        }
    }

    /** Timestamps and instants, by intervals. */
    private static final class Moments extends SeriesValues {
        private final LongEvaluator first;
        private final LongEvaluator last;
        private final WideEvaluator step;
        private final LongEvaluator sum;
        private long following;
        private long end;
        private long high;
        private long low;
        private boolean rises;
        private long current;

        Moments(
                LongEvaluator first,
                LongEvaluator last,
                WideEvaluator step,
                ColumnType type,
                Zones.@Nullable Zone zone) {
            this.first = first;
            this.last = last;
            this.step = step;
            LongEvaluator moment = frame -> {
                frame.isNull = false;
                return current;
            };
            WideEvaluator interval = frame -> {
                frame.isNull = false;
                frame.wide.set(high, low);
            };
            sum = (LongEvaluator) IntervalEvaluators.compile(
                    ScalarFunction.INTERVAL_AFTER, List.of(moment, interval), type, type, zone);
        }

        @Override
        boolean evaluate(Frame frame) {
            following = first.evaluate(frame);
            if (frame.isNull) {
                return false;
            }
            end = last.evaluate(frame);
            if (frame.isNull) {
                return false;
            }
            step.evaluate(frame);
            if (frame.isNull) {
                return false;
            }
            high = frame.wide.high();
            low = frame.wide.low();
            int order = IntervalArithmetic.compare(high, low, 0, 0);
            if (order == 0) {
                throw standsStill();
            }
            rises = order > 0;
            if (InfiniteTime.isMoment(following) && !isBehindLast()) {
                throw Temporals.infinite("begin a series at infinity, which no step leaves");
            }
            return true;
        }

        @Override
        boolean isBehindLast() {
            return rises ? following > end : following < end;
        }

        @Override
        boolean step(Frame frame) {
            current = following;
            following = sum.evaluate(frame);
            return !frame.isNull;
        }

        @Override
        public Evaluator value() {
            return (LongEvaluator) frame -> {
                frame.isNull = false;
                return current;
            };
        }
    }
}
