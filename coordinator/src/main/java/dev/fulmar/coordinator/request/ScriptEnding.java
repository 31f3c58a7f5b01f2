package dev.fulmar.coordinator.request;

/** End of a session's transaction when all its statements have run. */
public enum ScriptEnding {
    /** It is undone, and the results of its new statements are the answer, as {@link ScriptResults}. */
    UNDO,
    /** It commits. */
    COMMIT,
    /**
     * Nothing ran: who asks wants to know what became of an earlier COMMIT with the same handle. One that was not
     * executed never will be.
     */
    ASK
}
