package dev.fulmar.coordinator.transaction;

/** The phase of a multi-partition transaction's attempt. */
enum AttemptPhase {
    /** The control code runs or waits for a batch. */
    EXECUTING,
    /** The attempt is undone; its control code has yet to notice. */
    UNWINDING,
    /** The control code is done; votes are collected, and what must be durable before the decision is made so. */
    PREPARING,
    /** Decided to commit; a partition has yet to say that the decision is durable. */
    DECIDED,
    ENDED
}
