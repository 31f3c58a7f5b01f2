package dev.fulmar.coordinator.request;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The last numbers of sequences that a node drew for one connection of a client. Thread-safe. */
public final class LastNumbers {
    private final Map<Integer, Long> bySequence = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable Long> last = new AtomicReference<>();

    /** Those that count where these have none; null for none. */
    private final @Nullable LastNumbers below;

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
        Long number = last.get();
        if (under != null && number != null) {
            under.bySequence.putAll(bySequence);
            under.last.set(number);
        }
    }

    /** Notes a number that was drawn. */
    public void note(int sequence, long number) {
        bySequence.put(sequence, number);
        last.set(number);
    }

    /** The last number of the sequence. */
    public long current(int sequence) {
        return known(find(sequence), "currval");
    }

    /** The last number of any sequence. */
    public long last() {
        return known(findLast(), "lastval");
    }

    private @Nullable Long find(int sequence) {
        Long own = bySequence.get(sequence);
        return own == null && below != null ? below.find(sequence) : own;
    }

    private @Nullable Long findLast() {
        Long own = last.get();
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
