package dev.fulmar.coordinator.lease;

import dev.fulmar.foundation.time.Clock;
import java.util.List;
import java.util.function.Consumer;

/**
 * Asks for several leases of this node, for the next one when it has the one before. All together have the patience of
 * the first one. One thread at a time.
 */
public final class LeaseSeries {
    private final RowLeases leases;
    private final Clock clock;
    private final List<LeaseWish> wishes;
    private final long deadlineNanos;
    private final Consumer<Boolean> then;
    private int next;

    /**
     * @param wishes in an order that is the same for all who ask, so that no two of them wait for each other
     * @param then hears once whether the transaction has all
     */
    public LeaseSeries(RowLeases leases, Clock clock, List<LeaseWish> wishes, Consumer<Boolean> then) {
        this.leases = leases;
        this.clock = clock;
        this.wishes = List.copyOf(wishes);
        this.deadlineNanos = clock.monotonicNanos() + wishes.getFirst().patienceNanos();
        this.then = then;
    }

    /** Asks for the next one. */
    public void goOn() {
        heard(true);
    }

    private void heard(boolean granted) {
        if (!granted || next == wishes.size()) {
            then.accept(granted);
            return;
        }
        LeaseWish wish = wishes.get(next);
        next++;
        leases.ask(wish.within(Math.max(0, deadlineNanos - clock.monotonicNanos())), this::heard);
    }
}
