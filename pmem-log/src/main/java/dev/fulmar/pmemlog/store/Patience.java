package dev.fulmar.pmemlog.store;

/** Waits of a thread for another that is about to be ready. */
final class Patience {
    private Patience() {}

    /** Yields to other threads: the awaited one may need this very core. */
    @SuppressWarnings("ThreadPriorityCheck")
    static void giveWay() {
        Thread.yield();
    }
}
