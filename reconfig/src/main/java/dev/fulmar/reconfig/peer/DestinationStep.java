package dev.fulmar.reconfig.peer;

/** A step of a bucket's move at the partition to which it goes. */
public sealed interface DestinationStep {
    /** By which all steps name the move. */
    long move();

    /** Reserves a number, and stages an empty bucket under it. */
    record Stage(long move) implements DestinationStep {}

    /** The staged bucket gets the rows of the next chunk. */
    @SuppressWarnings("ArrayRecordComponent") // one owner, never compared
    record Take(long move, byte[] rows) implements DestinationStep {}

    /** The partition remembers outcomes of the source's requests. */
    @SuppressWarnings("ArrayRecordComponent") // one owner, never compared
    record Remember(long move, byte[] outcomes) implements DestinationStep {}

    /** The staged bucket is no more. */
    record Drop(long move) implements DestinationStep {}
}
