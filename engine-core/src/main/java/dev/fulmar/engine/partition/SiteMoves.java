package dev.fulmar.engine.partition;

import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Queues the partitions that a site must hand over to other sites, and those that arrive from other sites. Any thread
 * asks, the site's thread acts.
 */
final class SiteMoves {
    /** A partition that is to leave for another site. */
    static final class PendingMove {
        final PartitionId partition;
        final Site target;
        final Runnable moved;

        /** The partition has been asked to stop where it may leave. For the site's thread. */
        boolean isAsked;

        /** The partition has left, so it must not stop any more. For the thread that runs the partition. */
        boolean isOver;

        PendingMove(PartitionId partition, Site target, Runnable moved) {
            this.partition = partition;
            this.target = target;
            this.moved = moved;
        }
    }

    /** A partition that has left its site. */
    record Arrival(SitePartition partition, Runnable moved) {}

    private final ConcurrentLinkedQueue<PendingMove> departures = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Arrival> arrivals = new ConcurrentLinkedQueue<>();

    /** Departures whose time has not come, in the order in which they were asked for. For the site's thread. */
    private final List<PendingMove> pending = new ArrayList<>();

    /** Something is in a queue. A turn reads it, so it is one field rather than two queues. */
    private volatile boolean isDue;

    private volatile boolean isClosed;

    /** Whether something has come since the last turn. Any thread. */
    boolean isDue() {
        return isDue;
    }

    /** Whether the site's thread has something to do or to look after. */
    boolean isUnderWay() {
        return isDue || !pending.isEmpty();
    }

    void depart(PendingMove departure) {
        departures.add(departure);
        isDue = true;
        if (isClosed && departures.remove(departure)) {
            departure.moved.run();
        }
    }

    /** Whether the site will take it. */
    boolean arrive(Arrival arrival) {
        arrivals.add(arrival);
        isDue = true;
        return !isClosed || !arrivals.remove(arrival);
    }

    /** @param giver whether the departure is over; else it is tried again in the next turn */
    void giveDepartures(Predicate<PendingMove> giver) {
        isDue = false;
        for (PendingMove departure = departures.poll(); departure != null; departure = departures.poll()) {
            pending.add(departure);
        }
        pending.removeIf(giver);
    }

    void takeArrivals(Consumer<Arrival> taker) {
        for (Arrival arrival = arrivals.poll(); arrival != null; arrival = arrivals.poll()) {
            taker.accept(arrival);
        }
    }

    /** Nothing is given or taken any more. */
    void close(Consumer<Arrival> closer) {
        isClosed = true;
        giveDepartures(departure -> {
            departure.moved.run();
            return true;
        });
        takeArrivals(closer);
    }
}
