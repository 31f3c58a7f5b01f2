package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.foundation.time.Clock;

/**
 * The rows that one operator yielded and the time that it took: the time in its producer, less that in the consumer of
 * its rows.
 */
final class OperatorFigures {
    private final Clock clock;
    private long rows;
    private long nanos;

    OperatorFigures(Clock clock) {
        this.clock = clock;
    }

    void clear() {
        rows = 0;
        nanos = 0;
    }

    long rows() {
        return rows;
    }

    /** Nanoseconds of the operator, those of the operators that yield rows to it included. */
    long nanos() {
        return nanos;
    }

    /** The operator with what yields rows to it. */
    Producer within(Producer operator) {
        return new Producer() {
            @Override
            public boolean run(Frame frame) {
                long start = clock.monotonicNanos();
                boolean goesOn = operator.run(frame);
                nanos += clock.monotonicNanos() - start;
                return goesOn;
            }

            @Override
            public boolean resume(Frame frame) {
                long start = clock.monotonicNanos();
                boolean goesOn = operator.resume(frame);
                nanos += clock.monotonicNanos() - start;
                return goesOn;
            }
        };
    }

    /** The consumer of the operator's rows, whose time is not the operator's. */
    Consumer beyond(Consumer next) {
        return new Consumer() {
            @Override
            public boolean accept(Frame frame) {
                rows++;
                long start = clock.monotonicNanos();
                boolean goesOn = next.accept(frame);
                nanos -= clock.monotonicNanos() - start;
                return goesOn;
            }

            @Override
            public boolean resume(Frame frame) {
                long start = clock.monotonicNanos();
                boolean goesOn = next.resume(frame);
                nanos -= clock.monotonicNanos() - start;
                return goesOn;
            }
        };
    }
}
