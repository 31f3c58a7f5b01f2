package dev.fulmar.coordinator.reconfiguration;

import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Port by which a reconfiguration hears that a hand-off is about to lock partitions. The node that leads
 * the source then sends the last rows and outcomes, for which calls wait, and not earlier. Thread-safe.
 */
@FunctionalInterface
public interface HandOffPreparation {
    /**
     * Sends what is left.
     *
     * @param ended told once, on whatever thread and in bounded time: with null if the hand-off may go on, else with
     *     the reason. That is {@link ErrorCode#SERVER_BUSY} if it may be tried again
     */
    void prepare(HandOff handOff, Consumer<@Nullable FulmarException> ended);

    /** Takes each hand-off for ready; the partitions check it anyway. */
    static HandOffPreparation none() {
        return (handOff, ended) -> ended.accept(null);
    }
}
