package dev.fulmar.simulator.cluster;

import dev.fulmar.foundation.check.Invariants;
import java.util.Arrays;

/** Numbers of one client's requests, ascending, as plain numbers: a watch makes such lists after many events. */
final class RequestList {
    private static final int FIRST_CAPACITY = 16;

    private long[] numbers = new long[FIRST_CAPACITY];
    private int size;

    /** Adds a request, which comes after all others. */
    void add(long number) {
        Invariants.check(size == 0 || numbers[size - 1] < number, "requests are added in ascending order");
        if (size == numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * size);
        }
        numbers[size++] = number;
    }

    int size() {
        return size;
    }

    long number(int place) {
        return numbers[place];
    }

    /** The last one; 0 if there is none. */
    long last() {
        return size == 0 ? 0 : numbers[size - 1];
    }

    /** The first place from the given one on that is not before the request. */
    int placeOf(int from, long number) {
        int place = from;
        while (place < size && numbers[place] < number) {
            place++;
        }
        return place;
    }

    /** Whether the request is at the place. */
    boolean isAt(int place, long number) {
        return place < size && numbers[place] == number;
    }
}
