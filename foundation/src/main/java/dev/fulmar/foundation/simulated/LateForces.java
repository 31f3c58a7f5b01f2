package dev.fulmar.foundation.simulated;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * Queue of a simulated disk's forces that were reported as done and have no effect yet; a crash loses them. They take
 * effect in their order, so the lost ones are the last.
 */
final class LateForces {
    private final LongSupplier nowNanos;
    private final Deque<Force> underWay = new ArrayDeque<>();
    private boolean isLate;
    private long lastDueNanos;

    /** @param nowNanos virtual time */
    LateForces(LongSupplier nowNanos) {
        this.nowNanos = nowNanos;
    }

    private record Force(long dueNanos, Runnable effect) {}

    /** Whether forces are late from now on. */
    void begin(boolean areLate) {
        settle(Long.MAX_VALUE);
        lastDueNanos = 0;
        isLate = areLate;
    }

    boolean isLate() {
        return isLate;
    }

    boolean isEmpty() {
        settle(nowNanos.getAsLong());
        return underWay.isEmpty();
    }

    /** The process stands still for about as long as a force takes; the effect comes as long after that. */
    void effect(Runnable force, LongSupplier latencyNanos) {
        if (!isLate) {
            force.run();
            return;
        }
        settle(nowNanos.getAsLong());
        lastDueNanos = Math.max(lastDueNanos, nowNanos.getAsLong() + 2 * latencyNanos.getAsLong());
        underWay.add(new Force(lastDueNanos, force));
    }

    /** Loses those that have no effect yet; true if there were any. */
    boolean lose() {
        boolean isAny = !isEmpty();
        underWay.clear();
        lastDueNanos = 0;
        return isAny;
    }

    private void settle(long untilNanos) {
        for (Force next = underWay.peek(); next != null && next.dueNanos <= untilNanos; next = underWay.peek()) {
            underWay.remove();
            next.effect.run();
        }
    }
}
