package dev.fulmar.node.health;

import dev.fulmar.foundation.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Whether the node's own threads come round: those of sites, event loops and timers. Those that write to devices, and those that talk to ZooKeeper or other nodes, do not count,
 * for a new process would wait as they do. Thread-safe.
 */
public final class Liveness {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Clock clock;
    private final long limitNanos;
    private final List<Watched> watched = new ArrayList<>();

    private static final class Watched {
        private final Heart heart;
        private long beats;
        private boolean isStirred;

        /** When it was stirred after it had last come round. */
        private long stirredNanos;

        private Watched(Heart heart) {
            this.heart = heart;
        }

        /** How long it has not come round since it was stirred; stirs it if it sleeps. */
        private long silentNanos(long nowNanos) {
            long now = heart.beats();
            if (now != beats || !isStirred) {
                beats = now;
                isStirred = true;
                stirredNanos = nowNanos;
                heart.stir();
            }
            return nowNanos - stirredNanos;
        }
    }

    /** @param limitNanos how long a thread may be busy with one thing; longer than any procedure may run */
    public Liveness(Clock clock, long limitNanos) {
        this.clock = clock;
        this.limitNanos = limitNanos;
    }

    /** From now on these threads are to come round. */
    public synchronized void watch(List<Heart> hearts) {
        hearts.forEach(heart -> watched.add(new Watched(heart)));
    }

    /** The node ends; its threads may. */
    public synchronized void watchNoMore() {
        watched.clear();
    }

    /** Stirs all threads, and tells which have not come round for too long though they were stirred. Nobody who does not ask is told. */
    public synchronized Verdict ask() {
        long now = clock.monotonicNanos();
        List<String> problems = new ArrayList<>();
        for (Watched each : watched) {
            long silentNanos = each.silentNanos(now);
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
