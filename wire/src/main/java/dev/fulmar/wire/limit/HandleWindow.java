package dev.fulmar.wire.limit;

/**
 * Limit that client and server share: how many of a client's requests a server remembers, so that a retry is executed
 * once.
 */
public final class HandleWindow {
    /**
     * A server surely remembers the outcome of a request whose id is less than this below the greatest one of its
     * client. A client gives no new id that lies so far above that of a call which it may have to repeat.
     */
    public static final int REQUESTS = 4096;

    private HandleWindow() {}
}
