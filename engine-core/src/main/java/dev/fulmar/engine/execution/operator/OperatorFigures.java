package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.foundation.time.Clock;

/**
 * How many rows one operator yielded and how long that took: the time in its producer, less that in what consumes its
 * rows.
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

    /** Those of what yields rows to it included. */
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

    /** What consumes its rows. */
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
