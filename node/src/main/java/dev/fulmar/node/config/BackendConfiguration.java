package dev.fulmar.node.config;

/**
 * Configuration of a durable database's backend.
 *
 * @param kind {@code backend}: {@code file}, or {@code llpl} for persistent memory
 * @param capacityBytes {@code backend.capacity}: size of a new pool of persistent memory
 * @param emulated {@code backend.emulated}: whether memory that is not persistent will do, for tests
 */
public record BackendConfiguration(String kind, long capacityBytes, boolean emulated) {
    private static final long MEBIBYTE = 1 << 20;
    private static final long LEAST_CAPACITY = 256 * MEBIBYTE;
    private static final long USUAL_CAPACITY = 8192 * MEBIBYTE;
    private static final long MOST_CAPACITY = 1L << 50;

    static BackendConfiguration of(Settings settings) {
        return new BackendConfiguration(
                settings.text("backend", "file"),
                settings.bytes("backend.capacity", USUAL_CAPACITY, LEAST_CAPACITY, MOST_CAPACITY),
                settings.truth("backend.emulated", false));
    }
}
