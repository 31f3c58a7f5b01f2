package dev.fulmar.engine.spi;

/** Answer of a partition's {@link DataAccess}. */
public sealed interface Presence {
    /** The only answer of its kind. */
    Presence PRESENT = new Present();

    /** The rows are here. */
    record Present() implements Presence {}

    /** The rows belong here and are not here yet, or no longer in memory. */
    record Absent(DataNeed need) implements Presence {}

    /** The rows have left: by a plan that the transaction does not know yet they belong to another partition. */
    record Moved() implements Presence {}
}
