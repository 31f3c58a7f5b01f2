package dev.fulmar.coordinator.durability.log;

import dev.fulmar.engine.partition.CommitGate.GatedReply;
import dev.fulmar.foundation.check.Invariants;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Ring of the gated replies that wait for the log, in order. One thread. */
public final class GatedReplies {
    private static final int FIRST_LENGTH = 256;
    private static final int SAMPLED_OF = 7;

    private long[] positions = new long[FIRST_LENGTH];
    private @Nullable GatedReply[] departures = new GatedReply[FIRST_LENGTH];
    private int first;
    private int count;

    /** Numbers of replies added and removed so far. */
    private long added;

    private long removed;

    /** Number of the one whose wait is measured; -1 if there is none. */
    private long sample = -1;

    private long sampleBeganNanos;

    public boolean isEmpty() {
        return count == 0;
    }

    public long firstPosition() {
        return positions[first];
    }

    /** Whether the reply that was added last waits for no earlier position than the one before it. */
    public boolean endsInOrder() {
        int mask = positions.length - 1;
        return count < 2 || positions[(first + count - 2) & mask] <= positions[(first + count - 1) & mask];
    }

    public void add(long position, GatedReply gatedReply) {
        if (count == positions.length) {
            grow();
        }
        int place = (first + count) & (positions.length - 1);
        positions[place] = position;
        departures[place] = gatedReply;
        count++;
        added++;
    }

    public GatedReply removeFirst() {
        GatedReply gatedReply = Objects.requireNonNull(departures[first]);
        departures[first] = null;
        first = (first + 1) & (positions.length - 1);
        count--;
        this.removed++;
        if (Invariants.EXPENSIVE) {
            Invariants.check(added - removed == count, "a gate lets out each reply once");
        }
        return gatedReply;
    }

    /**
     * Whether the wait of the reply that was added last should be measured. One is measured at a time, and one of
     * several, so that it is not always the first one after a write.
     */
    boolean wantsSample() {
        return sample < 0 && added % SAMPLED_OF == 0;
    }

    void beginSample(long nowNanos) {
        sample = added;
        sampleBeganNanos = nowNanos;
    }

    boolean sampleHasLeft() {
        return sample >= 0 && removed >= sample;
    }

    /** When the one that was measured was added; measures it no longer. */
    long endSample() {
        sample = -1;
        return sampleBeganNanos;
    }

    private void grow() {
        int length = positions.length;
        long[] morePositions = Arrays.copyOf(positions, 2 * length);
        @Nullable GatedReply[] moreDepartures = Arrays.copyOf(departures, 2 * length);
        for (int i = 0; i < length; i++) {
            int place = (first + i) & (length - 1);
            morePositions[i] = positions[place];
            moreDepartures[i] = departures[place];
        }
        positions = morePositions;
        departures = moreDepartures;
        first = 0;
    }
}
