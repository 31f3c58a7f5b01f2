package dev.fulmar.foundation.simulated;

import dev.fulmar.foundation.random.RandomSource;
import java.io.IOException;

/** Faults that a simulated disk injects; none at first. */
public final class DiskFaults {
    private final RandomSource random;
    private double readFailures;
    private double writeFailures;
    private double forceFailures;
    private String failingForces = "";
    private boolean lying;
    private int minLatencyNanos;
    private int maxLatencyNanos;

    DiskFaults(RandomSource random) {
        this.random = random;
    }

    /** Fails so many of the reads, 0 to 1. */
    public void failReads(double probability) {
        readFailures = probability;
    }

    /** Fails so many of the writes, 0 to 1. */
    public void failWrites(double probability) {
        writeFailures = probability;
    }

    /** Fails so many of the forces, 0 to 1. */
    public void failForces(double probability) {
        failForces(probability, "");
    }

    /** Fails so many of the forces of files and directories whose names begin so, and none of others. */
    public void failForces(double probability, String names) {
        forceFailures = probability;
        failingForces = names;
    }

    /** Makes forces of files report success and do nothing. */
    public void lie(boolean newLying) {
        lying = newLying;
    }

    /** Sets the latency of a force, during which the process stands still. */
    public void latency(int newMinNanos, int newMaxNanos) {
        if (newMinNanos < 0 || newMaxNanos < newMinNanos || newMaxNanos == Integer.MAX_VALUE) {
            throw new IllegalArgumentException("no latency from " + newMinNanos + " to " + newMaxNanos);
        }
        minLatencyNanos = newMinNanos;
        maxLatencyNanos = newMaxNanos;
    }

    void beforeRead(String name) throws IOException {
        if (happens(readFailures)) {
            throw new IOException("Input/output error: read of " + name);
        }
    }

    void beforeWrite() throws IOException {
        if (happens(writeFailures)) {
            throw new IOException("Input/output error: write");
        }
    }

    boolean forceFails(String name) {
        return name.startsWith(failingForces) && happens(forceFailures);
    }

    boolean forceLies() {
        return lying;
    }

    long latencyNanos() {
        return (long) minLatencyNanos + random.nextInt(maxLatencyNanos - minLatencyNanos + 1);
    }

    private boolean happens(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }
}
