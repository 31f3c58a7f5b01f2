package dev.fulmar.simulator.cluster;

import dev.fulmar.foundation.check.Invariants;
import java.util.Arrays;

/** Requests by client and number, ascending, as plain numbers: a watch makes such lists after each event. */
final class RequestList {
    private static final int FIRST_CAPACITY = 64;

    private long[] clients = new long[FIRST_CAPACITY];
    private long[] numbers = new long[FIRST_CAPACITY];
    private int size;

    /** Adds a request, which comes after all others. */
    void add(long client, long number) {
        Invariants.check(size == 0 || isBefore(size - 1, client, number), "requests are added in ascending order");
        if (size == clients.length) {
            clients = Arrays.copyOf(clients, 2 * size);
            numbers = Arrays.copyOf(numbers, 2 * size);
        }
        clients[size] = client;
        numbers[size++] = number;
    }

    int size() {
        return size;
    }

    long client(int place) {
        return clients[place];
    }

    long number(int place) {
        return numbers[place];
    }

    /** The first place from the given one on that is not before the request. */
    int placeOf(int from, long client, long number) {
        int place = from;
        while (place < size && isBefore(place, client, number)) {
            place++;
        }
        return place;
    }

    /** Whether the request is at the place. */
    boolean isAt(int place, long client, long number) {
        return place < size && clients[place] == client && numbers[place] == number;
    }

    private boolean isBefore(int place, long client, long number) {
        return clients[place] != client ? clients[place] < client : numbers[place] < number;
    }
}
