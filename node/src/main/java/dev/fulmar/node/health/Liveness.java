package dev.fulmar.node.health;

import dev.fulmar.foundation.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Liveness of the node's own threads. These are the threads of sites, event loops and timers, and between their steps
 * the threads that write to devices and talk to other nodes. A wait of such a thread within a step does not count, for
 * a new process would wait as well. Of the time between two questions at most {@link #SHARE_NANOS} count, so that a
 * process which was suspended is not taken for stuck. Thread-safe.
 */
public final class Liveness {
    /** The most that the time between two questions counts. */
    static final long SHARE_NANOS = 10_000_000_000L;

    private static final double NANOS_PER_SECOND = 1e9;

    private final Clock clock;
    private final long limitNanos;
    private final List<Watched> watched = new ArrayList<>();
    private long askedNanos;
    private boolean isOver;

    private static final class Watched {
        private final Heart heart;
        private long beats;
        private boolean isStirred;

        /** Time for which the thread has been silent since it was stirred. */
        private long silentNanos;

        private Watched(Heart heart) {
            this.heart = heart;
        }

        /** Counts the time in which it was stirred and did not come round; stirs it if it sleeps. */
        private long silentNanos(long sinceNanos) {
            long now = heart.beats();
            if (now != beats || !isStirred || heart.isExcused()) {
                beats = now;
                isStirred = true;
                silentNanos = 0;
                heart.stir();
            } else {
                silentNanos += sinceNanos;
            }
            return silentNanos;
        }
    }

    /** @param limitNanos how long a thread may be busy with one thing; longer than any procedure may run */
    public Liveness(Clock clock, long limitNanos) {
        this.clock = clock;
        this.limitNanos = limitNanos;
        this.askedNanos = clock.monotonicNanos();
    }

    /** From now on these threads are to come round. */
    public synchronized void watch(List<Heart> hearts) {
        hearts.forEach(this::watch);
    }

    /** From now on this thread is to come round. */
    public synchronized void watch(Heart heart) {
        if (!isOver) {
            watched.add(new Watched(heart));
        }
    }

    /** This thread is to end. */
    public synchronized void forget(Heart heart) {
        watched.removeIf(each -> each.heart.equals(heart));
    }

    /** The names of the threads that are watched. */
    public synchronized List<String> names() {
        return watched.stream().map(each -> each.heart.name()).toList();
    }

    /** The node ends; its threads may. */
    public synchronized void watchNoMore() {
        isOver = true;
        watched.clear();
    }

    /** Stirs all threads, and tells which have not come round for too long though they were stirred. */
    public synchronized Verdict ask() {
        long now = clock.monotonicNanos();
        long sinceNanos = Math.min(now - askedNanos, SHARE_NANOS);
        askedNanos = now;
        List<String> problems = new ArrayList<>();
        for (Watched each : watched) {
            long silentNanos = each.silentNanos(sinceNanos);
            if (silentNanos > limitNanos) {
                problems.add(String.format(
                        Locale.ROOT,
                        "%s has not come round for %.0f s",
                        each.heart.name(),
                        silentNanos / NANOS_PER_SECOND));
            }
        }
        return new Verdict(problems);
    }
}
