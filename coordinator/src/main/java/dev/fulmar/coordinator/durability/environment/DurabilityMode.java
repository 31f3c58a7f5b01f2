package dev.fulmar.coordinator.durability.environment;

/** Durability that a reply promises. */
public enum DurabilityMode {
    /** Replies wait: an acknowledged commit survives a crash of the process, the system and the power. */
    SYNC,
    /** Replies do not wait: a crash loses what was acknowledged since the last write began, milliseconds as a rule. */
    ASYNC,
    /** Nothing is written: a restart begins with an empty database. */
    NONE
}
