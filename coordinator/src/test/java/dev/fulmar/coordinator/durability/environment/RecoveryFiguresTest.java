package dev.fulmar.coordinator.durability.environment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.pmemlog.checkpoint.CheckpointPolicy;
import org.junit.jupiter.api.Test;

/** How a recovery tells how long the next one will take. */
class RecoveryFiguresTest {
    private static final long SECOND = 1_000_000_000;
    private static final long MEGABYTE = 1_000_000;
    private static final CheckpointPolicy USUAL =
            new CheckpointPolicy(1L << 30, 1L << 30, 60 * SECOND, 50 * MEGABYTE, 150 * MEGABYTE, 2 * SECOND);

    private static CheckpointPolicy after(
            long storedBytes, long loadNanos, long logBytes, long commits, long replayNanos) {
        RecoveryFigures figures = new RecoveryFigures();
        figures.loadEnded(loadNanos);
        figures.replayEnded(logBytes, replayNanos);
        figures.end(logBytes, commits, commits, loadNanos + replayNanos + SECOND / 2);
        return figures.calibrated(USUAL, storedBytes);
    }

    @Test
    void theSpeedsOfALargeRecoveryCount() {
        CheckpointPolicy policy = after(5_000 * MEGABYTE, 11 * SECOND, 200 * MEGABYTE, 800_000, 6 * SECOND);
        assertThat(policy.loadBytesPerSecond()).isEqualTo(500 * MEGABYTE);
        assertThat(policy.replayBytesPerSecond()).isEqualTo(200 * MEGABYTE);
        assertThat(policy.otherNanos()).isEqualTo(5 * SECOND / 2);
        assertThat(policy.restartNanos(1_000 * MEGABYTE, 400 * MEGABYTE)).isEqualTo(6.5 * SECOND);
    }

    @Test
    void aSmallRecoverySaysNothingAboutSpeeds() {
        CheckpointPolicy policy = after(10 * MEGABYTE, SECOND, MEGABYTE, 1_000, SECOND);
        assertThat(policy.loadBytesPerSecond()).isEqualTo(USUAL.loadBytesPerSecond());
        assertThat(policy.replayBytesPerSecond()).isEqualTo(USUAL.replayBytesPerSecond());
    }

    /** Else checkpoints would be frequent, replays short, and the machine would look slow for ever. */
    @Test
    void halfOfAShortRecoveryIsTakenForTheWarmUp() {
        CheckpointPolicy policy = after(0, 0, 10 * MEGABYTE, 90_000, SECOND);
        assertThat(policy.replayBytesPerSecond()).isEqualTo(200 * MEGABYTE);
    }
}
