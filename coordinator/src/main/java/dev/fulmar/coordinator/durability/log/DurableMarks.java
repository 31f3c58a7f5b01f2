package dev.fulmar.coordinator.durability.log;

import dev.fulmar.foundation.check.Invariants;
import java.util.Arrays;

/**
 * Ring that translates the position up to which a log is durable into the last durable record, which a replica then
 * confirms. It has the last record of each turn that ended. One thread.
 */
public final class DurableMarks {
    private static final int FIRST_LENGTH = 64;

    private long[] positions = new long[FIRST_LENGTH];
    private long[] sequences = new long[FIRST_LENGTH];
    private int first;
    private int count;
    private long durableSequence = -1;
    private long offeredSequence = -1;

    /** Sequence of the last record that must be durable in every mode. */
    private long forcedSequence = -1;

    /** All records up to the sequence end before the position, and may be written now. */
    public void offered(long position, long sequence) {
        if (sequence == offeredSequence) {
            return;
        }
        Invariants.check(sequence > offeredSequence, "a log's records are offered in their order");
        if (Invariants.EXPENSIVE && count > 0) {
            int last = (first + count - 1) & (positions.length - 1);
            Invariants.check(positions[last] <= position, "a log's later records end at later positions");
        }
        offeredSequence = sequence;
        if (count == positions.length) {
            grow();
        }
        int place = (first + count) & (positions.length - 1);
        positions[place] = position;
        sequences[place] = sequence;
        count++;
    }

    /** The record must be durable before it counts, in every mode. */
    void force(long sequence) {
        Invariants.check(sequence >= forcedSequence, "a log's records are forced in their order");
        forcedSequence = sequence;
    }

    /** Sequence of the last record that is durable; -1 while nothing new is. */
    public long durable(long position) {
        while (count > 0 && positions[first] <= position) {
            durableSequence = sequences[first];
            first = (first + 1) & (positions.length - 1);
            count--;
        }
        return durableSequence;
    }

    /** Sequence of the last offered record, unless one before it must be durable and is not. */
    public long durableUnlessForced(long position) {
        long durable = durable(position);
        return durable >= forcedSequence ? offeredSequence : durable;
    }

    /** The stream goes on elsewhere: everything so far is of no interest. */
    public void restart() {
        count = 0;
        durableSequence = -1;
        offeredSequence = -1;
        forcedSequence = -1;
    }

    private void grow() {
        int length = positions.length;
        long[] morePositions = Arrays.copyOf(positions, 2 * length);
        long[] moreSequences = Arrays.copyOf(sequences, 2 * length);
        for (int i = 0; i < length; i++) {
            int place = (first + i) & (length - 1);
            morePositions[i] = positions[place];
            moreSequences[i] = sequences[place];
        }
        positions = morePositions;
        sequences = moreSequences;
        first = 0;
    }
}
