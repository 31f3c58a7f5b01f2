package dev.fulmar.coordinator.replication.building;

/**
 * Sizes and times of builds.
 *
 * @param chunkBytes of a chunk, roughly; a row may be larger
 * @param credit how many chunks a target asks for at once
 * @param retryNanos without an answer after which a target asks again
 * @param silenceNanos without a word after which either side gives the other up
 * @param hurryBytes memory that versions of a partition take from which on a source does not wait for idle time any
 *     more
 */
public record BuildSettings(int chunkBytes, int credit, long retryNanos, long silenceNanos, long hurryBytes) {
    private static final int CHUNK_BYTES = 128 << 10;
    private static final int CREDIT = 4;
    private static final long RETRY_NANOS = 500_000_000;
    private static final long SILENCE_NANOS = 15_000_000_000L;

    /** Of its cap, memory for versions may take one part in so many before a source hurries. */
    private static final int HURRY_PART = 8;

    public BuildSettings {
        if (chunkBytes < 1 || credit < 1 || credit > BuildFormat.MAX_CREDIT || retryNanos >= silenceNanos) {
            throw new IllegalArgumentException("chunks of " + chunkBytes + " bytes, " + credit + " at once");
        }
    }

    /** @param versionBytes what the versions of a partition may take */
    public static BuildSettings usual(long versionBytes) {
        return new BuildSettings(CHUNK_BYTES, CREDIT, RETRY_NANOS, SILENCE_NANOS, versionBytes / HURRY_PART);
    }
}
