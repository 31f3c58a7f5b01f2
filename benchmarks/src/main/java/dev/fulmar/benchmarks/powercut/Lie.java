package dev.fulmar.benchmarks.powercut;

/** Writes and forces that a file system confirms without having done them. */
public enum Lie {
    /** It is honest. */
    NONE,
    /** Synchronous writes stay in memory. */
    SYNCHRONOUS_WRITES,
    /** A force of a file does nothing. */
    FORCES,
    /** A force of a directory does nothing. */
    DIRECTORY_FORCES
}
