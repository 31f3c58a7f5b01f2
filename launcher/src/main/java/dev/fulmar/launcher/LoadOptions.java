package dev.fulmar.launcher;

import dev.fulmar.benchmarks.drive.LoadShape;
import picocli.CommandLine.Option;

/** Options of a load. */
final class LoadOptions {
    @Option(names = "--clients", defaultValue = "4", description = "Closed-loop clients; default: ${DEFAULT-VALUE}.")
    private int clients;

    @Option(
            names = "--in-flight",
            defaultValue = "32",
            description = "Requests that each client keeps in flight; default: ${DEFAULT-VALUE}.")
    private int inFlight;

    @Option(
            names = "--rate",
            defaultValue = "0",
            paramLabel = "PER-SECOND",
            description = "Requests that are due per second (open loop); default: as many as go (closed loop).")
    private double ratePerSecond;

    @Option(names = "--warmup", defaultValue = "3", description = "Seconds not counted; default: ${DEFAULT-VALUE}.")
    private int warmupSeconds;

    @Option(names = "--seconds", defaultValue = "10", description = "Seconds counted; default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(names = "--seed", defaultValue = "1", description = "Seed of everything random; default: ${DEFAULT-VALUE}.")
    private long seed;

    LoadShape shape() {
        return new LoadShape(clients, inFlight, ratePerSecond, warmupSeconds, seconds);
    }

    long seed() {
        return seed;
    }
}
