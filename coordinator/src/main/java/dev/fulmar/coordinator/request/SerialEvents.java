package dev.fulmar.coordinator.request;

import dev.fulmar.foundation.check.Invariants;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jctools.queues.varhandle.MpscLinkedVarHandleQueue;
import org.jspecify.annotations.Nullable;

/**
 * Events that are handled one at a time, in the order in which they come. The thread that brings an event handles it,
 * unless another one handles events; then that one does it too. Thread-safe.
 */
public final class SerialEvents<E> {
    private final Consumer<E> handler;
    private final MpscLinkedVarHandleQueue<E> events = new MpscLinkedVarHandleQueue<>();
    private final AtomicInteger unhandled = new AtomicInteger();

    /** @param handler must not throw: later events would never be handled */
    public SerialEvents(Consumer<E> handler) {
        this.handler = handler;
    }

    public void post(E event) {
        events.offer(event);
        if (unhandled.getAndIncrement() != 0) {
            return; // the thread that handles events now will see it
        }
        do {
            @Nullable E next = events.poll();
            if (next == null) {
                throw Invariants.breach("a counted event is in the queue");
            }
            handler.accept(next);
        } while (unhandled.decrementAndGet() != 0);
    }
}
