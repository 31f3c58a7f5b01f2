package dev.fulmar.postgres.session;

/** The thread on which a session lives: that of its connection's event loop. Thread-safe. */
@FunctionalInterface
public interface SessionThread {
    /** Runs the task there, after those that came before. A task of a session that has ended may be dropped. */
    void execute(Runnable task);
}
