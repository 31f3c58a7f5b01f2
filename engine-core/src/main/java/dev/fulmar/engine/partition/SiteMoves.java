package dev.fulmar.engine.partition;

import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The partitions that a site is to give, and those that it is to take. Any thread asks, the site's thread acts. */
final class SiteMoves {
    /** A partition that is to leave for another site. */
    record Departure(PartitionId partition, Site target, Runnable moved) {}

    /** A partition that has left its site. */
    record Arrival(SitePartition partition, Runnable moved) {}

    private final ConcurrentLinkedQueue<Departure> departures = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Arrival> arrivals = new ConcurrentLinkedQueue<>();

    /** There may be something in a queue. A turn reads it, so it is one field rather than two queues. */
    private volatile boolean isDue;

    private volatile boolean isClosed;

    boolean isDue() {
        return isDue;
    }

    void depart(Departure departure) {
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

    /** What is in the queues by now is about to be done. */
    void begin() {
        isDue = false;
    }

    void takeArrivals(Consumer<Arrival> taker) {
        for (Arrival arrival = arrivals.poll(); arrival != null; arrival = arrivals.poll()) {
            taker.accept(arrival);
        }
    }

    /** @param giver whether the departure is over; else it is tried again in the next turn */
    void giveDepartures(Predicate<Departure> giver) {
        List<Departure> present = new ArrayList<>();
        for (Departure departure = departures.poll(); departure != null; departure = departures.poll()) {
            present.add(departure);
        }
        present.removeIf(giver);
        if (!present.isEmpty()) {
            departures.addAll(present);
            isDue = true;
        }
    }

    /** Nothing is given or taken any more. */
    void close(Consumer<Arrival> closer) {
        isClosed = true;
        takeArrivals(closer);
        giveDepartures(departure -> {
            departure.moved.run();
            return true;
        });
    }
}
