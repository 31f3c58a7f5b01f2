package dev.fulmar.foundation.agent.real;

/** Waits for threads whose end cannot be given up: what comes after it relies on them being gone. */
final class ThreadEnd {
    private ThreadEnd() {}

    /** Returns when the thread has ended. An interrupt meanwhile is kept for the caller's next wait. */
    static void await(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
