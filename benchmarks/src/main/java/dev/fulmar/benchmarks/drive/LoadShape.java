package dev.fulmar.benchmarks.drive;

/**
 * Shape of a load: the concurrency, rate and duration of requests.
 *
 * @param clients closed-loop clients, each with its own stream of requests
 * @param inFlight requests that each client keeps in flight
 * @param ratePerSecond requests that are due per second over all clients (open loop); 0 for a closed loop
 * @param warmupSeconds not counted, first
 * @param seconds counted
 */
public record LoadShape(int clients, int inFlight, double ratePerSecond, int warmupSeconds, int seconds) {
    public LoadShape {
        if (clients < 1 || inFlight < 1 || ratePerSecond < 0 || warmupSeconds < 0 || seconds < 1) {
            throw new IllegalArgumentException(
                    "a load needs at least one client, one request in flight and one second, and no negative number");
        }
    }

    public boolean isOpenLoop() {
        return ratePerSecond > 0;
    }

    /** Streams of requests: one per place in flight. */
    public int streams() {
        return clients * inFlight;
    }
}
