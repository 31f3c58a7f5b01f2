package dev.fulmar.engine.procedure.loading;

/** Whether a procedure's classes get the budget's checks. */
public enum Weaving {
    ON,
    /** For measuring what the checks cost: a call that does not end then stops its partition for good. */
    OFF
}
