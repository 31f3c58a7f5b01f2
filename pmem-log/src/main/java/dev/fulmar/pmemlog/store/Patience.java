package dev.fulmar.pmemlog.store;

/** Yields the processor while a thread of the object store waits for another thread that is about to be ready. */
final class Patience {
    private Patience() {}

    /** Yields to other threads: the awaited one may need this very core. */
    @SuppressWarnings("ThreadPriorityCheck")
    static void giveWay() {
        Thread.yield();
    }
}
