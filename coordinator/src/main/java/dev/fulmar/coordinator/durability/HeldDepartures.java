package dev.fulmar.coordinator.durability;

import dev.fulmar.engine.partition.CommitGate.Departure;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What waits for the log, in order, as a ring. One thread. */
final class HeldDepartures {
    private static final int FIRST_LENGTH = 256;

    private long[] positions = new long[FIRST_LENGTH];
    private @Nullable Departure[] departures = new Departure[FIRST_LENGTH];
    private int first;
    private int count;

    boolean isEmpty() {
        return count == 0;
    }

    long firstPosition() {
        return positions[first];
    }

    void add(long position, Departure departure) {
        if (count == positions.length) {
            grow();
        }
        int place = (first + count) & (positions.length - 1);
        positions[place] = position;
        departures[place] = departure;
        count++;
    }

    Departure removeFirst() {
        Departure removed = Objects.requireNonNull(departures[first]);
        departures[first] = null;
        first = (first + 1) & (positions.length - 1);
        count--;
        return removed;
    }

    private void grow() {
        int length = positions.length;
        long[] morePositions = Arrays.copyOf(positions, 2 * length);
        @Nullable Departure[] moreDepartures = Arrays.copyOf(departures, 2 * length);
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
