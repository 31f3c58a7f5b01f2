package dev.fulmar.simulator.verify;

/**
 * Anomalies of a history that strict serializability forbids, by Adya's names where there is one, the gravest first.
 */
public enum Anomaly {
    /** A read of a value that was never written. */
    GARBAGE_READ,
    /** G1a: a read of something whose writer failed. */
    ABORTED_READ,
    /** G1b: a read of something that its writer replaced before it committed. */
    INTERMEDIATE_READ,
    /** A transaction contradicts its own earlier reads and writes. */
    INTERNAL,
    /** A list holds an element twice. */
    DUPLICATE_ELEMENT,
    /** Two reads of a list of which neither is a prefix of the other. */
    INCOMPATIBLE_ORDER,
    /** The values of a register replaced each other in a circle. */
    CYCLIC_VERSIONS,
    /** Writes replaced each other in a circle. */
    G0,
    /** Transactions depend on each other's writes in a circle. */
    G1C,
    /** A transaction missed one write of what it otherwise depends on: read skew. */
    G_SINGLE,
    /** Two transactions replaced the same value, so one of the changes is lost. */
    LOST_UPDATE,
    /** Transactions missed each other's writes: write skew. */
    G2,
    /** As {@link #G0}, if real time counts. */
    G0_REALTIME,
    /** As {@link #G1C}, if real time counts: a transaction saw what was asked for only later. */
    G1C_REALTIME,
    /** As {@link #G_SINGLE}, if real time counts: a stale read or a lost acknowledged write. */
    G_SINGLE_REALTIME,
    /** As {@link #G2}, if real time counts. */
    G2_REALTIME,
    /** Two transactions claim one position. */
    CLAIMED_TWICE,
    /** A transaction that took effect claims no position. */
    CLAIM_MISSING,
    /** A read that the claimed order does not give. */
    CLAIMED_RESULT,
    /** A transaction claims a position after one that was asked for only after its answer. */
    CLAIMED_REALTIME
}
