package dev.fulmar.node.server;

import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Connections of one event loop that wait for room for the frame that has begun to arrive, first come, first served.
 * They are not read from meanwhile. A frame gets its whole room before its bytes are taken in, so no two hold half of
 * what each needs. For the event loop.
 */
final class AwaitedRoom {
    private static final long PERIOD_MILLIS = 2;

    private final ArrayDeque<BooleanSupplier> waiting = new ArrayDeque<>();
    private boolean isScheduled;

    /** @param goesOn tries to go on, and says whether it did, or has no need to any more */
    void add(EventExecutor loop, BooleanSupplier goesOn) {
        waiting.add(goesOn);
        schedule(loop);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a loop that has ended reads nothing
    private void schedule(EventExecutor loop) {
        if (!isScheduled) {
            isScheduled = true;
            loop.schedule(
                    () -> {
                        isScheduled = false;
                        goOn();
                        if (!waiting.isEmpty()) {
                            schedule(loop);
                        }
                    },
                    PERIOD_MILLIS,
                    TimeUnit.MILLISECONDS);
        }
    }

    private void goOn() {
        BooleanSupplier first = waiting.peek();
        while (first != null && first.getAsBoolean()) {
            waiting.remove();
            first = waiting.peek();
        }
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }
}
