package dev.fulmar.engine.execution.expression;

import org.jspecify.annotations.Nullable;

/** The next number of a sequence. Belongs to one statement on one partition. */
final class Draw implements LongEvaluator {
    private final int sequence;
    private Counters.@Nullable Counter counter;

    Draw(int sequence) {
        this.sequence = sequence;
    }

    @Override
    public long evaluate(Frame frame) {
        Counters.Counter known = counter;
        if (known == null) {
            known = frame.counters.of(sequence);
            counter = known;
        }
        frame.isNull = false;
        return known.next();
    }
}
