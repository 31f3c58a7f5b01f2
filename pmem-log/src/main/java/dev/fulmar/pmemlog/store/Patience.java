package dev.fulmar.pmemlog.store;

/** How a thread waits for another that is about to be ready. */
final class Patience {
    private Patience() {}

    /** Lets others run: the one that is waited for may need this very core. */
    @SuppressWarnings("ThreadPriorityCheck")
    static void giveWay() {
        Thread.yield();
    }
}
