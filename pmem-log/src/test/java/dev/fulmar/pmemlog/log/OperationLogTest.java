package dev.fulmar.pmemlog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.pmemlog.record.RecordFormat;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.record.RecordWriter;
import dev.fulmar.pmemlog.recovery.LogVerdict;
import dev.fulmar.pmemlog.recovery.StreamSummary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperationLogTest extends LogFixture {
    @Test
    void anIdleLogWritesARecordAtOnceWithOneFence() {
        OperationLog log = open();
        PartitionLogBuffer lane = log.openLane(0);
        assertThat(log.counters().fences()).as("the opening seal").isEqualTo(1);
        long before = world.nowNanos();
        long position = append(lane, 10);
        assertThat(lane.durablePosition()).isLessThan(position);
        assertThat(heard).isEmpty();
        assertThat(log.doWork()).isEqualTo(1);
        assertThat(lane.durablePosition()).isEqualTo(position);
        assertThat(heard).containsExactly("stream 0 at " + position);
        assertThat(world.nowNanos()).isEqualTo(before);
        assertThat(log.counters().fences()).isEqualTo(2);
        assertThat(log.counters().groups()).isEqualTo(1);
        assertThat(log.doWork()).isZero();
        assertThat(log.counters().fences()).isEqualTo(2);
    }

    @Test
    void whatComesDuringAWriteIsTheNextGroupWithOneFence() {
        OperationLog log = open();
        List<PartitionLogBuffer> lanes = new ArrayList<>();
        for (int stream = 0; stream < 8; stream++) {
            lanes.add(log.openLane(stream));
        }
        long fences = log.counters().fences();
        for (int round = 1; round <= 5; round++) {
            for (int i = 0; i < round; i++) {
                lanes.forEach(lane -> append(lane, 4));
            }
            assertThat(log.doWork()).isEqualTo(8 * round);
            assertThat(log.counters().fences()).isEqualTo(fences + round);
            lanes.forEach(lane -> assertThat(lane.durablePosition()).isEqualTo(lane.position()));
        }
        assertThat(log.counters().largestGroupRecords()).isEqualTo(40);
        assertThat(log.counters().records()).isEqualTo(8 * 15);
        assertThat(log.counters().recordBytes()).isEqualTo(8 * 15 * 80);
    }

    @Test
    void recordsAreOneGroupOnceTheyAreOffered() {
        OperationLog log = open();
        PartitionLogBuffer lane = log.openLane(0);
        long fences = log.counters().fences();
        long last = 0;
        for (int i = 0; i < 5; i++) {
            assertThat(lane.begin(RecordKind.COMMAND, 10)).isNotNull();
            last = lane.append(10);
            assertThat(log.doWork()).as("nothing is offered yet").isZero();
        }
        assertThat(lane.offer()).isTrue();
        assertThat(lane.offer()).as("nothing is new").isFalse();
        assertThat(log.doWork()).isEqualTo(5);
        assertThat(lane.durablePosition()).isEqualTo(last).isEqualTo(lane.position());
        assertThat(log.counters().fences()).isEqualTo(fences + 1);
    }

    @Test
    void aGroupHasItsLargestSizeAndTheRestFollows() {
        OperationLog log = open();
        PartitionLogBuffer lane = log.openLane(0);
        PartitionLogBuffer other = log.openLane(1);
        for (int i = 0; i < 30; i++) {
            append(lane, 150);
            append(other, 150);
            if (i % 4 == 3) {
                assertThat(log.doWork()).isEqualTo(8);
                prepare(log);
            }
        }
        assertThat(log.counters().largestGroupRecords()).isEqualTo(8);
        work(log);
        long last = append(lane, 2_000);
        append(other, 3_000);
        assertThat(log.doWork()).as("the other one does not fit").isEqualTo(1);
        prepare(log);
        assertThat(log.doWork()).isEqualTo(1);
        assertThat(lane.durablePosition()).isEqualTo(last);
        assertThat(other.durablePosition()).isEqualTo(other.position());
    }

    @Test
    void aSealAttestsTheLastGroupOnceTheLogIsIdle() {
        OperationLog log = open();
        PartitionLogBuffer lane = log.openLane(0);
        append(lane, 1);
        log.doWork();
        world.runFor(SEAL_NANOS - 1);
        assertThat(log.doWork()).isZero();
        long sealsBefore = log.counters().seals();
        world.runFor(1);
        assertThat(log.doWork()).isEqualTo(1);
        assertThat(log.counters().seals()).isEqualTo(sealsBefore + 1);
        world.runFor(10 * SEAL_NANOS);
        assertThat(log.doWork()).isZero();
        assertThat(log.counters().seals()).isEqualTo(sealsBefore + 1);
    }

    @Test
    void aClosedLogGoesOnWhereItEnded() {
        OperationLog log = open();
        PartitionLogBuffer lane = log.openLane(3);
        append(lane, 1);
        append(lane, 2);
        log.onClose();
        log.preparer().onClose();
        assertThat(lane.durablePosition()).isEqualTo(lane.position());
        assertThatThrownBy(() -> lane.begin(RecordKind.COMMAND, 1))
                .extracting(LogFixture::codeOf)
                .isEqualTo(ErrorCode.NODE_STOPPING);
        assertThat(scan().verdict()).isInstanceOf(LogVerdict.Closed.class);
        assertThat(scan().streams()).containsEntry(3, new StreamSummary(0, 2, 0));

        process = world.startProcess(NODE);
        OperationLog next = open();
        PartitionLogBuffer again = next.openLane(3);
        assertThat(again.lastSequence()).isEqualTo(2);
        append(again, 3);
        assertThat(again.lastSequence()).isEqualTo(3);
        next.doWork();
        assertThat(scan().streams()).containsEntry(3, new StreamSummary(0, 3, 0));
        assertThat(scan().verdict()).isInstanceOf(LogVerdict.Cut.class);
        assertThat(scan().life()).isEqualTo(2);
    }

    @Test
    void anEpochMakesVoidWhatAnEarlierOneWrote() {
        OperationLog log = open();
        PartitionLogBuffer lane = log.openLane(0);
        for (int i = 0; i < 5; i++) {
            append(lane, 1);
        }
        log.doWork();
        long durable = lane.durablePosition();
        assertThat(lane.beginEpoch(7, 4, 0)).isNotNull();
        assertThat(lane.commit(0)).as("positions never go back").isGreaterThan(durable);
        append(lane, 1);
        log.doWork();
        assertThat(lane.lastSequence()).isEqualTo(5);
        assertThat(lane.epoch()).isEqualTo(7);
        List<String> records = new ArrayList<>();
        scan().replay(
                        stream -> true,
                        (record, segment, offset) -> records.add(record.epoch() + ":" + record.sequence()));
        assertThat(records).containsExactly("0:1", "0:2", "0:3", "7:4", "7:5");
        assertThatThrownBy(() -> lane.beginEpoch(7, 5, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> lane.beginEpoch(8, 7, 0)).isInstanceOf(IllegalArgumentException.class);
        PartitionLogBuffer copy = log.openLane(1);
        log.doWork();
        assertThat(copy.beginEpoch(3, 1_000, 0)).isNotNull();
        copy.commit(0);
        append(copy, 1);
        log.onClose();
        assertThat(scan().streams()).containsEntry(1, new StreamSummary(999, 1_001, 3));
    }

    @Test
    void aCopyMakesVoidWhatWasBefore() {
        OperationLog log = open();
        PartitionLogBuffer lane = log.openLane(0);
        for (int i = 0; i < 5; i++) {
            append(lane, 1);
        }
        log.doWork();
        for (long behind : new long[] {900, 3}) {
            assertThat(lane.beginCopy(2, behind, 0)).isNotNull();
            lane.commit(0);
            append(lane, 1);
            log.doWork();
        }
        assertThat(lane.lastSequence()).isEqualTo(4);
        List<String> records = new ArrayList<>();
        scan().replay(
                        stream -> true,
                        (record, segment, offset) ->
                                records.add(record.kind() + " " + record.epoch() + ":" + record.sequence()));
        assertThat(records).containsExactly("COPY 2:3", "COMMAND 2:4");
        assertThat(scan().streams()).containsEntry(0, new StreamSummary(3, 4, 2, true));
        log.onClose();
        PartitionLogBuffer again = open().openLane(0);
        assertThat(again.lastSequence()).isEqualTo(4);
    }

    @Test
    void recordsLargerThanALaneOrAGroupPass() {
        OperationLog log = open();
        PartitionLogBuffer lane = log.openLane(0);
        List<Integer> sizes = List.of(10, 300, 8_000, 0, 5_000, 200);
        for (int size : sizes) {
            RecordWriter record = lane.begin(RecordKind.VALUES, size);
            while (record == null) {
                work(log);
                record = lane.begin(RecordKind.VALUES, size);
            }
            Arrays.fill(record.array(), record.payloadOffset(), record.payloadOffset() + size, (byte) size);
            lane.commit(size);
        }
        work(log);
        assertThat(lane.durablePosition()).isEqualTo(lane.position());
        List<Integer> found = new ArrayList<>();
        scan().replay(stream -> true, (record, segment, offset) -> {
            found.add(record.payloadBytes());
            for (byte value : record.payload()) {
                assertThat(value).isEqualTo((byte) record.payloadBytes());
            }
        });
        assertThat(found).isEqualTo(sizes);
        assertThatThrownBy(() -> lane.begin(RecordKind.VALUES, 8_192 - RecordFormat.HEADER_BYTES + 1))
                .hasMessageContaining("smaller transactions")
                .extracting(LogFixture::codeOf)
                .isEqualTo(ErrorCode.UNDO_LIMIT);
    }

    @Test
    void aFullLaneTakesNothingUntilTheLogHasTakenSome() {
        OperationLog log = open();
        PartitionLogBuffer lane = log.openLane(0);
        int count = 0;
        while (lane.begin(RecordKind.COMMAND, 100) != null) {
            lane.commit(100);
            count++;
        }
        assertThat(count).isBetween(4, 5);
        assertThat(log.doWork()).isEqualTo(count);
        append(lane, 100);
    }

    @Test
    void aRecordThatIsNotCommittedIsForgotten() {
        OperationLog log = open();
        PartitionLogBuffer lane = log.openLane(0);
        for (int i = 0; i < 40; i++) {
            assertThat(lane.begin(RecordKind.COMMAND, 170)).isNotNull();
            assertThat(lane.begin(RecordKind.COMMAND, 500)).isNotNull();
            append(lane, 20);
            work(log);
        }
        assertThat(log.counters().records()).isEqualTo(40);
        assertThat(scan().streams()).containsEntry(0, new StreamSummary(0, 40, 0));
    }

    @Test
    void aFailedFenceIsFinal() {
        OperationLog log = open();
        work(log);
        PartitionLogBuffer lane = log.openLane(0);
        long good = append(lane, 1);
        work(log);
        heard.clear();
        append(lane, 1);
        world.disk(NODE).faults().failForces(1);
        log.doWork();
        world.disk(NODE).faults().failForces(0);
        long fences = log.counters().fences();
        assertThat(log.failure()).hasMessageContaining("segment-0000000000000000001 at offset 1536");
        assertThat(Objects.requireNonNull(log.failure()).code()).isEqualTo(ErrorCode.STORAGE_FAILURE);
        for (int i = 0; i < 3; i++) {
            world.runFor(10 * SEAL_NANOS);
            assertThat(log.doWork() + log.preparer().doWork()).isZero();
        }
        assertThat(lane.durablePosition()).isEqualTo(good);
        assertThat(heard).containsExactly("STORAGE_FAILURE");
        assertThatThrownBy(() -> lane.begin(RecordKind.DECISION, 1))
                .extracting(LogFixture::codeOf)
                .isEqualTo(ErrorCode.STORAGE_FAILURE);
        log.onClose();
        log.preparer().onClose();
        assertThat(log.counters().fences()).isEqualTo(fences);
        process.kill();
        process = world.startProcess(NODE);
        assertThat(open().openLane(0).lastSequence()).isBetween(1L, 2L);
    }

    @Test
    void aFailureOfThePreparerStopsTheLog() {
        OperationLog log = open();
        PartitionLogBuffer lane = log.openLane(0);
        work(log);
        while (log.counters().rotations() == 0) {
            append(lane, 100);
            log.doWork();
        }
        append(lane, 1);
        world.disk(NODE).faults().failForces(1);
        while (log.preparer().doWork() > 0) {
            assertThat(log.counters().rotations()).isLessThan(2);
        }
        world.disk(NODE).faults().failForces(0);
        assertThat(log.failure()).hasMessageContaining("preparing-0000000000000000003 at offset 16384");
        heard.clear();
        assertThat(log.doWork()).isZero();
        assertThat(heard).containsExactly("STORAGE_FAILURE");
        assertThat(lane.durablePosition()).isLessThan(lane.position());
    }

    @Test
    void otherSettingsTakeEffectWithTheNextSegments() {
        OperationLog log = open();
        work(log);
        append(log.openLane(0), 10);
        log.onClose();
        log.preparer().onClose();
        process = world.startProcess(NODE);
        LogSettings larger = new LogSettings("data/olog", 65_536, 1_024, 8_192, 32_768, 1_024, 4, 1, SEAL_NANOS);
        OperationLog next = open(larger);
        PartitionLogBuffer lane = next.openLane(0);
        append(lane, 30_000);
        work(next);
        assertThat(lane.durablePosition()).isEqualTo(lane.position());
        assertThat(scan().streams()).containsEntry(0, new StreamSummary(0, 2, 0));
        assertThat(scan().segments().getLast().header().segmentBytes()).isEqualTo(65_536);
    }

    @Test
    void aStreamHasOneOwner() {
        OperationLog log = open();
        log.openLane(0);
        assertThatThrownBy(() -> log.openLane(0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> log.openLane(RecordFormat.LOG_STREAM)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> {
                    for (int stream = 1; stream < 1_000; stream++) {
                        log.openLane(stream);
                    }
                })
                .hasMessageContaining("segments larger");
        work(log);
        world.runFor(SEAL_NANOS);
        work(log);
        assertThat(scan().verdict()).isInstanceOf(LogVerdict.Cut.class);
    }

    @ParameterizedTest
    @CsvSource({
        "16384, 500, 4096, 8192, 1024, 4, 1, 1",
        "16384, 32, 4096, 8192, 1024, 4, 1, 1",
        "16000, 512, 4096, 8000, 1024, 4, 1, 1",
        "16384, 512, 64, 8192, 1024, 4, 1, 1",
        "16384, 512, 8193, 8192, 1024, 4, 1, 1",
        "16384, 512, 4096, 8193, 1024, 4, 1, 1",
        "16384, 512, 4096, 8192, 1000, 4, 1, 1",
        "16384, 512, 4096, 8192, 512, 4, 1, 1",
        "16384, 512, 4096, 8192, 1024, 2, 1, 1",
        "16384, 512, 4096, 8192, 1024, 4, 3, 1",
        "16384, 512, 4096, 8192, 1024, 4, 0, 1",
        "16384, 512, 4096, 8192, 1024, 4, 1, 0"
    })
    void impossibleSettingsAreRefused(
            int segment, int block, int group, int record, int lane, int segments, int ready, long sealNanos) {
        assertThatThrownBy(
                        () -> new LogSettings("olog", segment, block, group, record, lane, segments, ready, sealNanos))
                .extracting(LogFixture::codeOf)
                .isEqualTo(ErrorCode.INVALID_CONFIGURATION);
    }

    @Test
    void theDefaultsArePossible() {
        assertThat(LogSettings.defaults("olog").blockBytes()).isEqualTo(4_096);
    }
}
