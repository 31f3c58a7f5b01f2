package dev.fulmar.engine.partition.counter;

/** Counters of the time that a site spends. Written by the site's thread. */
public final class SiteCounters {
    /** Rounds over the site's partitions that found work. */
    public final OwnedCounter busyTurns = new OwnedCounter();
    /** Rounds that found none. */
    public final OwnedCounter idleTurns = new OwnedCounter();
    /** Nanoseconds in rounds that found work. */
    public final OwnedCounter busyNanos = new OwnedCounter();
    /** Of those, the ones in slices of long reading after the first. */
    public final OwnedCounter sliceNanos = new OwnedCounter();
    /** Messages and transactions handled. */
    public final OwnedCounter handled = new OwnedCounter();
}
