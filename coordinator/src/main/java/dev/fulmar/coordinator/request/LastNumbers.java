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

    /** Notes a number that was drawn. */
    public void note(int sequence, long number) {
        bySequence.put(sequence, number);
        last.set(number);
    }

    /** The last number of the sequence. */
    public long current(int sequence) {
        return known(bySequence.get(sequence), "currval");
    }

    /** The last number of any sequence. */
    public long last() {
        return known(last.get(), "lastval");
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
