package dev.fulmar.simulator.cluster;

/** Paths of statements that change keys over partitions. */
enum KeyPath {
    /** A key over partitions was set or removed. */
    KEY_CHANGED,
    /** A row was inserted into a table that is spread by row ids. */
    ROW_WITHOUT_KEY,
    /** A row was refused because another one has its key. */
    KEY_TAKEN,
    /** A row was refused because there is none that it could refer to. */
    NOTHING_TO_REFER_TO,
    /** A table with rows got a constraint, or lost one. */
    CONSTRAINT_CHANGED,
    /** A constraint was refused for rows on different partitions, or on one, that break it. */
    CONSTRAINT_BROKEN
}
