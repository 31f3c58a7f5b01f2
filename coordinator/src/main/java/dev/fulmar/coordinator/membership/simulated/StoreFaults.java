package dev.fulmar.coordinator.membership.simulated;

import dev.fulmar.foundation.random.RandomSource;

/** Faults and delays of a simulated store; at first it has no faults and short delays. */
public final class StoreFaults {
    private final RandomSource random;
    private long minDelayNanos = 200_000;
    private long maxDelayNanos = 3_000_000;
    private double breaks;
    private long maxLateNanos = 5_000_000_000L;
    private double staleReads;
    private long maxExpiryDelayNanos;

    /** Fate of a call. */
    enum Fate {
        ANSWERED,
        REQUEST_LOST,
        ANSWER_LOST,
        /** The connection breaks, and the request still takes effect, long after. */
        LATE
    }

    StoreFaults(RandomSource random) {
        this.random = random;
    }

    /** Sets the time that a message to or from the store travels. */
    public void delay(long newMinNanos, long newMaxNanos) {
        if (newMinNanos < 0 || newMaxNanos < newMinNanos) {
            throw new IllegalArgumentException("no delay from " + newMinNanos + " to " + newMaxNanos);
        }
        minDelayNanos = newMinNanos;
        maxDelayNanos = newMaxNanos;
    }

    /** Breaks the connection in so many of the calls, 0 to 1, and with it the outcomes of all that are under way. */
    public void breakCalls(double probability) {
        breaks = probability;
    }

    /** Sets how long after its connection broke a request may still take effect. */
    public void late(long newMaxLateNanos) {
        maxLateNanos = newMaxLateNanos;
    }

    /** Answers so many of the reads, 0 to 1, with something older, as far as the reader cannot know better. */
    public void staleReads(double probability) {
        staleReads = probability;
    }

    /** Lets a session that is not kept alive live so much longer. */
    public void delayExpiry(long newMaxExpiryDelayNanos) {
        maxExpiryDelayNanos = newMaxExpiryDelayNanos;
    }

    /** Ends all faults but the delay of messages. */
    public void heal() {
        breaks = 0;
        staleReads = 0;
        maxExpiryDelayNanos = 0;
    }

    long delayNanos() {
        return upTo(minDelayNanos, maxDelayNanos);
    }

    long lateNanos() {
        return upTo(0, maxLateNanos);
    }

    long expiryDelayNanos() {
        return upTo(0, maxExpiryDelayNanos);
    }

    boolean isStale() {
        return happens(staleReads);
    }

    Fate fate() {
        if (!happens(breaks)) {
            return Fate.ANSWERED;
        }
        return switch (random.nextInt(3)) {
            case 0 -> Fate.REQUEST_LOST;
            case 1 -> Fate.ANSWER_LOST;
            default -> Fate.LATE;
        };
    }

    /** Uniform in {@code [low, high]}. */
    long between(long low, long high) {
        return low + random.nextInt((int) (high - low + 1));
    }

    private long upTo(long low, long high) {
        return low + (long) (random.nextDouble() * (high - low));
    }

    private boolean happens(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }
}
