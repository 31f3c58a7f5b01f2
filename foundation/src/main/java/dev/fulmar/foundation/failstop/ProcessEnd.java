package dev.fulmar.foundation.failstop;

/**
 * Port by which a node that has failed ends its process with an exit status. The real one is {@code LastResort}.
 * Thread-safe.
 */
public interface ProcessEnd {
    /** For a node in a process that is not its own: the node closes, the process goes on. */
    ProcessEnd NONE = (status, thrown) -> {};

    /**
     * Decides that the process ends with the status, before the reason is logged. After an {@link Error} that is at
     * once, and this does not return. Else the caller may close in order; the process ends all the same if that takes
     * too long. The first decision stands.
     */
    void broken(int status, Throwable thrown);

    /**
     * Runs the words before an end at once, on the thread that broke, to tell others of it. It must not take longer
     * than a fraction of a second, and the end comes whatever becomes of it. There is one.
     */
    default void before(Runnable lastWords) {}
}
