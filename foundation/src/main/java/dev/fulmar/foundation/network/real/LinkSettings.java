package dev.fulmar.foundation.network.real;

import java.time.Duration;

/**
 * Settings of links.
 *
 * @param busyBytes with more waiting a link says that it is busy
 * @param maxWaitingBytes with more waiting a session is ended
 * @param silence after which a session is ended
 * @param minBackoff before the first attempt to connect again; each further one waits twice as long
 * @param maxBackoff the longest time between two attempts
 */
public record LinkSettings(
        long busyBytes, long maxWaitingBytes, Duration silence, Duration minBackoff, Duration maxBackoff) {
    /** 8 MiB are much, 256 MiB too much; three seconds of silence; 20 ms to one second between attempts. */
    public static final LinkSettings DEFAULTS =
            new LinkSettings(8 << 20, 256 << 20, Duration.ofSeconds(3), Duration.ofMillis(20), Duration.ofSeconds(1));

    public LinkSettings {
        if (busyBytes < 1 || maxWaitingBytes < busyBytes) {
            throw new IllegalArgumentException(
                    busyBytes + " and " + maxWaitingBytes + " bytes; they are positive and ascend");
        }
        if (!silence.isPositive() || !minBackoff.isPositive() || maxBackoff.compareTo(minBackoff) < 0) {
            throw new IllegalArgumentException("times are positive and ascend");
        }
    }
}
