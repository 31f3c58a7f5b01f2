package dev.fulmar.coordinator.change;

import dev.fulmar.foundation.error.FulmarException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Junction of two preparations of a change: ends when both have ended, with the failure of either. Thread-safe. */
final class BothEnded implements Consumer<@Nullable FulmarException> {
    private final AtomicInteger open = new AtomicInteger(2);
    private final AtomicReference<@Nullable FulmarException> failure = new AtomicReference<>();
    private final Consumer<@Nullable FulmarException> ended;

    BothEnded(Consumer<@Nullable FulmarException> ended) {
        this.ended = ended;
    }

    @Override
    public void accept(@Nullable FulmarException failed) {
        if (failed != null) {
            failure.compareAndSet(null, failed);
        }
        if (open.decrementAndGet() == 0) {
            ended.accept(failure.get());
        }
    }
}
