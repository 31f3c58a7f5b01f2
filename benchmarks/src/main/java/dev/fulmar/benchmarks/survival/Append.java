package dev.fulmar.benchmarks.survival;

/**
 * One append to one or several chains, with its client's knowledge of it. The outcome is set by one thread and read by
 * others later.
 */
final class Append {
    /** Outcome of an append, to its client's knowledge. */
    enum Outcome {
        UNKNOWN,
        ACKNOWLEDGED,
        NO_EFFECT
    }

    private final long number;
    private final long[] chains;
    private final long lowestEdition;
    private volatile Outcome outcome = Outcome.UNKNOWN;
    private volatile long place;
    private volatile long edition;

    /** @param lowestEdition that may run it: the last one that was acknowledged before it was sent */
    Append(long number, long[] chains, long lowestEdition) {
        this.number = number;
        this.chains = chains.clone();
        this.lowestEdition = lowestEdition;
    }

    long number() {
        return number;
    }

    int chainCount() {
        return chains.length;
    }

    boolean touches(long chain) {
        for (long each : chains) {
            if (each == chain) {
                return true;
            }
        }
        return false;
    }

    long lowestEdition() {
        return lowestEdition;
    }

    /** @param toldPlace in its chain, or 0 if the answer did not say */
    void acknowledged(long toldPlace, long toldEdition) {
        place = toldPlace;
        edition = toldEdition;
        outcome = Outcome.ACKNOWLEDGED;
    }

    void hadNoEffect() {
        outcome = Outcome.NO_EFFECT;
    }

    Outcome outcome() {
        return outcome;
    }

    long place() {
        return place;
    }

    long edition() {
        return edition;
    }
}
