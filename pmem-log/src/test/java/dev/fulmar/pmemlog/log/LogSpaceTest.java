package dev.fulmar.pmemlog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.recovery.StreamSummary;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What the log does with its space: bounded, used again, kept elsewhere, or used up. */
class LogSpaceTest extends LogFixture {
    @Test
    void spaceIsBoundedAndUsedAgain() throws IOException {
        OperationLog log = open();
        PartitionLogBuffer lane = log.openLane(0);
        PartitionLogBuffer idle = log.openLane(1);
        append(idle, 1);
        for (int i = 0; i < 2_000; i++) {
            append(lane, 100);
            work(log);
            log.release(0, lane.lastSequence() - 5);
            log.release(1, 1);
            assertThat(process.storage().list(SETTINGS.directory())).hasSizeLessThanOrEqualTo(4 + 1);
        }
        assertThat(log.counters().rotations()).isGreaterThan(60);
        assertThat(world.disk(NODE).usedBytes()).isLessThanOrEqualTo(4 * 16_384 + 8_192);
        assertThat(scan().segments().getFirst().header().number()).isGreaterThan(60);
        assertThat(scan().streams().get(0)).satisfies(summary -> {
            assertThat(summary.baseSequence()).isBetween(1_800L, 1_995L);
            assertThat(summary.lastSequence()).isEqualTo(2_000);
        });
        assertThat(scan().streams()).containsEntry(1, new StreamSummary(1, 1, 0));
    }

    @Test
    void whatOneCheckpointSetsFreeIsNotFilledWithZerosAgain() {
        OperationLog log = open(new LogSettings("data/olog", 16_384, 512, 4_096, 8_192, 1_024, 12, 1, SEAL_NANOS));
        PartitionLogBuffer lane = log.openLane(0);
        long rotations = log.counters().rotations();
        long prepared = 0;
        for (int checkpoint = 0; checkpoint < 10; checkpoint++) {
            for (int i = 0; i < 240; i++) {
                append(lane, 100);
                work(log);
            }
            log.release(0, lane.lastSequence());
            work(log);
            if (checkpoint == 1) {
                rotations = log.counters().rotations();
                prepared = log.counters().preparedBytes();
            }
        }
        long segments = log.counters().rotations() - rotations;
        assertThat(segments).isGreaterThan(50);
        assertThat(log.counters().reusedSegments()).isGreaterThan(50);
        assertThat((log.counters().preparedBytes() - prepared) / segments).isLessThan(16_384);
    }

    private void use(OperationLog log, PartitionLogBuffer lane) {
        for (int i = 0; i < 200; i++) {
            append(lane, 500);
            work(log);
            log.release(lane.stream(), lane.lastSequence());
        }
    }

    private static byte[] bytes(Storage storage, String name) throws IOException {
        try (StorageFile file = storage.open(name)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
            file.read(0, bytes);
            return bytes.array();
        }
    }

    /**
     * Segments of different logs have the same numbers, those of a database and of the one that was restored from its
     * backup for example.
     */
    @Test
    void anArchiveKeepsTheSegmentsOfOneLog() throws IOException {
        Storage archive = world.startProcess(new NodeId(1)).storage();
        SimulatedProcess elsewhere = world.startProcess(new NodeId(2));
        OperationLog log = open();
        OperationLog other = LogOpening.open(
                elsewhere.storage(), elsewhere.clock(), world.random("another log id"), SETTINGS, listener);
        log.preparer().archiveTo(archive, Long.MAX_VALUE);
        other.preparer().archiveTo(archive, Long.MAX_VALUE);
        use(log, log.openLane(0));
        List<String> archived = archive.list(SETTINGS.directory());
        assertThat(archived).hasSizeGreaterThan(3);
        String first = SETTINGS.directory() + "/" + archived.getFirst();
        byte[] before = bytes(archive, first);
        fillUp(other, other.openLane(0));
        other.release(0, Long.MAX_VALUE);
        work(other);
        assertThat(Objects.requireNonNull(other.preparer().archiveFailure()).getMessage())
                .contains(archived.getFirst())
                .contains("of another database's log");
        assertThat(other.shortage())
                .as("what is not archived is not used again")
                .isNotNull();
        assertThat(bytes(archive, first)).isEqualTo(before);
        assertThat(log.preparer().archiveFailure()).isNull();
        assertThatThrownBy(() -> other.preparer().archiveTo(archive, Long.MAX_VALUE))
                .hasMessageContaining("an archive of its own");
    }

    @Test
    void anArchiveOfASizeKeepsTheNewestSegments() throws IOException {
        Storage whole = world.startProcess(new NodeId(1)).storage();
        OperationLog log = open();
        log.preparer().archiveTo(whole, 2L * SETTINGS.segmentBytes());
        PartitionLogBuffer lane = log.openLane(0);
        String newest = "";
        for (int round = 0; round < 5; round++) {
            use(log, lane);
            List<String> archived = whole.list(SETTINGS.directory());
            assertThat(archived).hasSize(2);
            assertThat(archived.getLast()).isGreaterThan(newest);
            newest = archived.getLast();
        }
        assertThat(log.preparer().archiveFailure()).isNull();
    }

    @Test
    void aStreamThatIsNotReleasedKeepsTheLog() {
        OperationLog log = open();
        PartitionLogBuffer lane = log.openLane(0);
        PartitionLogBuffer other = log.openLane(1);
        append(other, 1);
        work(log);
        fillUp(log, lane);
        log.release(0, Long.MAX_VALUE);
        work(log);
        assertThat(log.shortage()).isNotNull();
        log.release(1, 1);
        work(log);
        assertThat(log.shortage()).isNull();
        append(lane, 200);
        work(log);
        assertThat(lane.durablePosition()).isEqualTo(lane.position());
    }

    @Test
    void withoutSpaceNothingIsAcknowledgedAndNothingTakenButDecisions() {
        OperationLog log = open();
        PartitionLogBuffer lane = log.openLane(0);
        fillUp(log, lane);
        assertThat(lane.durablePosition()).isLessThan(lane.position());
        assertThatThrownBy(() -> lane.begin(RecordKind.COMMAND, 1))
                .hasMessageContaining("4 segments")
                .hasMessageContaining("checkpoint")
                .extracting(LogFixture::codeOf)
                .isEqualTo(ErrorCode.DISK_FULL);
        long decision = append(lane, RecordKind.DECISION, 1);
        log.release(0, lane.lastSequence() - 2);
        work(log);
        assertThat(lane.durablePosition()).isEqualTo(decision);
        assertThat(log.failure()).isNull();
    }

    @Test
    void aLogWithoutSpaceCanBeOpened() {
        OperationLog log = open();
        PartitionLogBuffer lane = log.openLane(0);
        fillUp(log, lane);
        for (int i = 0; i < 5; i++) {
            process.kill();
            process = world.startProcess(NODE);
            log = open();
            work(log);
            log.onClose();
            log.preparer().onClose();
        }
        process = world.startProcess(NODE);
        OperationLog last = open();
        PartitionLogBuffer again = last.openLane(0);
        last.release(0, again.lastSequence());
        work(last);
        append(again, 10);
        work(last);
        assertThat(again.durablePosition()).isEqualTo(again.position());
    }

    @Test
    void aFullDiskStopsTheLogUntilThereIsSpace() throws IOException {
        OperationLog log = open();
        work(log);
        PartitionLogBuffer lane = log.openLane(0);
        world.disk(NODE).capacity(world.disk(NODE).usedBytes() + 1_000);
        fillUp(log, lane);
        assertThatThrownBy(() -> lane.begin(RecordKind.COMMAND, 1))
                .hasMessageContaining("preparing-0000000000000000003 at offset 0")
                .hasMessageContaining("goes on by itself")
                .extracting(LogFixture::codeOf)
                .isEqualTo(ErrorCode.DISK_FULL);
        assertThat(lane.durablePosition()).isLessThan(lane.position());
        assertThat(process.storage().list(SETTINGS.directory())).noneMatch(name -> name.startsWith("preparing"));
        world.disk(NODE).capacity(Long.MAX_VALUE);
        work(log);
        assertThat(log.shortage()).as("asked again only after a while").isNotNull();
        world.runFor(1_000_000_000);
        work(log);
        assertThat(log.shortage()).isNull();
        assertThat(lane.durablePosition()).isEqualTo(lane.position());
    }

    @Test
    void aNewLogOnAFullDiskIsRefused() {
        world.disk(NODE).capacity(10_000);
        assertThatThrownBy(this::open)
                .hasMessageContaining("preparing-0000000000000000001")
                .extracting(LogFixture::codeOf)
                .isEqualTo(ErrorCode.DISK_FULL);
    }
}
