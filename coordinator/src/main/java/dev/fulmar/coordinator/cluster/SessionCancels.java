package dev.fulmar.coordinator.cluster;

/** Ends the statements of PostgreSQL's clients that ask for it over other connections. Thread-safe. */
@FunctionalInterface
public interface SessionCancels {
    /** For nodes that have no such clients. */
    SessionCancels NONE = (process, secret) -> {};

    /** Ends the statement of the session with the key, if there is one; nobody hears whether there was. */
    void cancel(int process, int secret);
}
