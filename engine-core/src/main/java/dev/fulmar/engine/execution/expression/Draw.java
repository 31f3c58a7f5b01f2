package dev.fulmar.engine.execution.expression;

import org.jspecify.annotations.Nullable;

/** The next number of a sequence, or the first of a range. Belongs to one statement on one partition. */
final class Draw implements LongEvaluator {
    private final int sequence;
    private final @Nullable LongEvaluator wanted;
    private final long least;
    private final long greatest;
    private Counters.@Nullable Counter counter;

    /** @param wanted length of the range; null to draw one number */
    Draw(int sequence, @Nullable LongEvaluator wanted) {
        this(sequence, wanted, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private Draw(int sequence, @Nullable LongEvaluator wanted, long least, long greatest) {
        this.sequence = sequence;
        this.wanted = wanted;
        this.least = least;
        this.greatest = greatest;
    }

    /** A draw of one number that an INTEGER can have. */
    static Draw ofInteger(int sequence) {
        return new Draw(sequence, null, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    @Override
    public long evaluate(Frame frame) {
        Counters.Counter known = counter;
        if (known == null) {
            known = frame.counters.of(sequence);
            counter = known;
        }
        LongEvaluator length = wanted;
        long count = length == null ? 1 : length.evaluate(frame);
        frame.isNull = false;
        return length == null ? known.next(least, greatest) : known.nextRange(count);
    }
}
