package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.partition.counter.LatencyHistogram;
import dev.fulmar.engine.partition.counter.OwnedCounter;

/** Counters of one procedure's calls on one partition. Written by the partition's thread. */
public final class ProcedureFigures {
    public final OwnedCounter committed = new OwnedCounter();
    public final OwnedCounter failed = new OwnedCounter();
    /** Calls that ran as multi-partition transactions; they count where their request was taken in. */
    public final OwnedCounter distributed = new OwnedCounter();
    /** Attempts of those that were undone for an older transaction. */
    public final OwnedCounter restarts = new OwnedCounter();
    /** Time from the arrival of a request to its reply. */
    public final LatencyHistogram latency = new LatencyHistogram();
}
