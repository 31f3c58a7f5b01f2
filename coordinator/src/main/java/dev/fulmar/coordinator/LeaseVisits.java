package dev.fulmar.coordinator;

import dev.fulmar.coordinator.lease.LeaseSeries;
import dev.fulmar.coordinator.lease.LeaseWish;
import dev.fulmar.coordinator.lease.RowLeases;
import dev.fulmar.coordinator.request.PassingSink;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.ScriptEnding;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.time.Clock;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;

/**
 * Asks for the leases of ranges at all partitions that have some of them, in the order of their numbers. So of two
 * sessions that want the same range one waits at the first partition, and they never wait for each other. A node with
 * several partitions hears more than once, which does no harm. One thread at a time.
 */
final class LeaseVisits extends PassingSink<TransactionRequest.Script> {
    private final PartitionHomes partitions;
    private final RowLeases leases;
    private final Clock clock;
    private final List<LeaseWish> wishes;
    private final BitSet homes;
    private final long deadlineNanos;

    /** One that does not wait has all its time for being planned at other nodes. */
    private final boolean waits;

    private final Consumer<Boolean> then;
    private boolean hasAskedHere;
    private int next;

    /**
     * @param wishes by their tables' ids, all of the same patience
     * @param then hears once whether the transaction has the leases
     */
    LeaseVisits(
            PartitionHomes partitions,
            RowLeases leases,
            Clock clock,
            TransactionRequest.Script script,
            ResponseSink sink,
            List<LeaseWish> wishes,
            BitSet homes,
            Consumer<Boolean> then) {
        super(script, sink);
        this.partitions = partitions;
        this.leases = leases;
        this.clock = clock;
        this.wishes = wishes;
        this.homes = homes;
        this.waits = wishes.getFirst().patienceNanos() > 0;
        this.deadlineNanos = clock.monotonicNanos() + wishes.getFirst().patienceNanos();
        this.then = then;
    }

    /** Goes to the next partition, or ends. */
    void goOn() {
        while (true) {
            int home = homes.nextSetBit(next);
            if (home < 0 || sink.isGone()) { // the leases of one that is gone have ended where it had some
                then.accept(home < 0);
                return;
            }
            next = home + 1;
            long restNanos = Math.max(0, deadlineNanos - clock.monotonicNanos());
            if (!partitions.isHere(home)) {
                TransactionRequest.Script part = request.with(ScriptEnding.LEASE_HERE);
                partitions.pass(home, waits ? part.within(Math.max(1, restNanos)) : part, this);
                return;
            }
            if (!hasAskedHere) {
                hasAskedHere = true;
                List<LeaseWish> rest =
                        wishes.stream().map(wish -> wish.within(restNanos)).toList();
                new LeaseSeries(leases, clock, rest, this::heard).goOn();
                return;
            }
        }
    }

    private void heard(boolean granted) {
        if (granted) {
            goOn();
        } else {
            then.accept(false);
        }
    }

    /** A node that cannot answer has no lease to give: the transaction goes on without. */
    @Override
    public void respond(TransactionRequest part, TransactionResponse response) {
        heard(!(response instanceof Failed(ErrorCode code, var _, var _)) || !isRefusal(code));
    }

    private static boolean isRefusal(ErrorCode code) {
        return switch (code) {
            case LOCK_NOT_AVAILABLE, CANCELLED, TIMEOUT -> true;
            default -> false;
        };
    }
}
