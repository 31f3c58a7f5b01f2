package dev.fulmar.pmemlog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.pmemlog.FewDescriptors;
import dev.fulmar.pmemlog.record.RecordKind;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process that may open no more files has no broken device: the log waits, wherever in the making of a segment it
 * was refused, and goes on.
 */
class LogDescriptorsTest extends LogFixture {
    private final FewDescriptors files = new FewDescriptors(process.storage());

    private OperationLog openWithFew() {
        return LogOpening.open(files, process.clock(), world.random("log id"), SETTINGS, listener);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void aLogThatMayOpenNoFileWaitsAndGoesOn(int left) {
        OperationLog log = openWithFew();
        work(log);
        PartitionLogBuffer lane = log.openLane(0);
        files.leave(left);
        fillUp(log, lane);
        assertThatThrownBy(() -> lane.begin(RecordKind.COMMAND, 1))
                .hasMessageContaining("Too many open files")
                .hasMessageContaining("let the process open more files")
                .extracting(LogFixture::codeOf)
                .isEqualTo(ErrorCode.DISK_FULL);
        files.leave(Integer.MAX_VALUE);
        work(log);
        assertThat(log.shortage()).as("asked again only after a while").isNotNull();
        world.runFor(1_000_000_000);
        work(log);
        assertThat(log.shortage()).isNull();
        assertThat(log.failure()).isNull();
        assertThat(lane.durablePosition()).isEqualTo(lane.position());
        assertThat(Objects.requireNonNull(scan().streams().get(0)).lastSequence())
                .isEqualTo(lane.lastSequence());
    }

    /** A segment that a checkpoint has made needless is used again, whether or not its names can be forced at once. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void segmentsAreUsedAgain(int left) {
        OperationLog log = openWithFew();
        PartitionLogBuffer lane = log.openLane(0);
        for (int round = 0; round < 200; round++) {
            append(lane, 200);
            work(log);
            log.release(0, lane.lastSequence());
            files.leave(left);
            work(log);
            files.leave(Integer.MAX_VALUE);
            if (log.shortage() != null) {
                world.runFor(1_000_000_000);
                work(log);
            }
            assertThat(log.shortage()).isNull();
        }
        assertThat(log.counters().reusedSegments()).isPositive();
        assertThat(lane.durablePosition()).isEqualTo(lane.position());
        assertThat(Objects.requireNonNull(scan().streams().get(0)).lastSequence())
                .isEqualTo(lane.lastSequence());
    }
}
