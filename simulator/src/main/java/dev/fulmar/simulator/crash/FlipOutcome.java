package dev.fulmar.simulator.crash;

/** Outcome of a start on a directory with a flipped bit. */
public enum FlipOutcome {
    /** The start was refused, with file and offset. */
    REFUSED,
    /** All data is there, and the damage was reported: a second copy or a checkpoint log had what was lost. */
    REPAIRED,
    /** A tail without a published commit was cut, and reported with file and offset; all before it is there. */
    TAIL_CUT,
    /** All data is there: the byte was not needed. */
    HARMLESS,
    /** Data is missing or other data is there, or the message does not tell where the damage is. */
    WRONG
}
