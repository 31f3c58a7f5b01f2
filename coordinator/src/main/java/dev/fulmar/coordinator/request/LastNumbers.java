package dev.fulmar.coordinator.request;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The last numbers of sequences that a node drew for one connection of a client. Thread-safe. */
public final class LastNumbers {
    private final Map<Integer, Long> bySequence = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable Last> last = new AtomicReference<>();

    /** Those that count where these have none; null for none. */
    private final @Nullable LastNumbers below;

    /** A number, and the sequence that it is of. */
    private record Last(String name, long number) {}

    public LastNumbers() {
        this(null);
    }

    private LastNumbers(@Nullable LastNumbers below) {
        this.below = below;
    }

    /** Numbers that stand above these, which they leave as they are until they are settled. */
    public LastNumbers above() {
        return new LastNumbers(this);
    }

    /** Other numbers above the same ones, as if these had not been drawn. */
    public LastNumbers anew() {
        return new LastNumbers(below);
    }

    /** Notes all of them below. */
    public void settle() {
        LastNumbers under = below;
        Last number = last.get();
        if (under != null && number != null) {
            under.bySequence.putAll(bySequence);
            under.last.set(number);
        }
    }

    /**
     * Notes a number that was drawn.
     *
     * @param name of the sequence, under whatever id it goes on; empty if it is not known
     */
    public void note(int sequence, String name, long number) {
        bySequence.put(sequence, number);
        last.set(new Last(name, number));
    }

    /** Forgets all numbers. */
    public void forget() {
        bySequence.clear();
        last.set(null);
    }

    /** The last number of the sequence. */
    public long current(int sequence) {
        return known(find(sequence), "currval");
    }

    /**
     * The last number of any sequence.
     *
     * @param isThere tells of a name whether there is a sequence of it: with the last one its number is gone
     */
    public long last(Predicate<String> isThere) {
        Last found = findLast();
        return known(
                found == null || !(found.name().isEmpty() || isThere.test(found.name()))
                        ? null
                        : Long.valueOf(found.number()),
                "lastval");
    }

    private @Nullable Long find(int sequence) {
        Long own = bySequence.get(sequence);
        return own == null && below != null ? below.find(sequence) : own;
    }

    private @Nullable Last findLast() {
        Last own = last.get();
        return own == null && below != null ? below.findLast() : own;
    }

    private static long known(@Nullable Long number, String function) {
        if (number == null) {
            throw notDrawn(function);
        }
        return number;
    }

    /** The failure of a connection that remembers nothing. */
    public static FulmarException notDrawn(String function) {
        return new FulmarException(
                ErrorCode.SEQUENCE_NOT_DRAWN,
                function
                        + " has no number: this connection has drawn none of a sequence with CACHE, nor of another in a"
                        + " transaction of several statements; call nextval first");
    }
}
