package dev.fulmar.pmemlog.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import dev.fulmar.pmemlog.log.DurabilityListener;
import dev.fulmar.pmemlog.log.LogOpening;
import dev.fulmar.pmemlog.log.LogSettings;
import dev.fulmar.pmemlog.log.OperationLog;
import dev.fulmar.pmemlog.log.PartitionLogBuffer;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.record.RecordWriter;
import dev.fulmar.pmemlog.segment.SegmentNames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Damage is found and named; it never goes unseen where it matters, and never breaks the reader. */
class LogDamageTest {
    private static final NodeId NODE = new NodeId(0);
    private static final String DIRECTORY = "olog";
    private static final LogSettings SETTINGS =
            new LogSettings(DIRECTORY, 4096, 256, 1024, 1024, 1024, 8, 1, 50_000_000);
    private static final String CONTROL = SegmentNames.control(DIRECTORY);

    private final SimulatedWorld world = new SimulatedWorld(1);
    private final SimulatedProcess process = world.startProcess(NODE);
    private int groups;

    /** A log of some segments, each group with two records. */
    private void write(int count, boolean close) {
        groups = count;
        OperationLog log = LogOpening.open(
                process.storage(), process.clock(), world.random("id"), SETTINGS, DurabilityListener.none());
        PartitionLogBuffer one = log.openLane(0);
        PartitionLogBuffer other = log.openLane(1);
        for (int i = 0; i < count; i++) {
            append(one, i);
            append(other, i);
            log.doWork();
            log.preparer().doWork();
            log.preparer().doWork();
        }
        if (close) {
            log.onClose();
            log.preparer().onClose();
        }
    }

    private void append(PartitionLogBuffer lane, int i) {
        byte[] payload = new byte[i % 90];
        RecordWriter record = Objects.requireNonNull(lane.begin(RecordKind.VALUES, payload.length));
        record.digest(i).payload(payload, 0, payload.length);
        lane.commit(payload.length);
    }

    private List<String> appended() {
        return appended(groups);
    }

    /** The records of the first groups. */
    private static List<String> appended(int count) {
        List<String> records = new ArrayList<>();
        for (int stream = 0; stream < 2; stream++) {
            for (int i = 0; i < count; i++) {
                records.add(stream + "/" + i);
            }
        }
        return records;
    }

    private LogScan scan() {
        return LogReader.scan(process.storage(), DIRECTORY);
    }

    private static List<String> replay(LogScan scan) {
        List<String> records = new ArrayList<>();
        for (int stream = 0; stream < 2; stream++) {
            int wanted = stream;
            scan.replay(any -> any == wanted, (record, segment, offset) -> records.add(wanted + "/" + record.digest()));
        }
        return records;
    }

    private byte[] read(String name) throws IOException {
        try (StorageFile file = process.storage().open(name)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
            file.read(0, bytes);
            return bytes.array();
        }
    }

    private void overwrite(String name, byte[] bytes) throws IOException {
        try (StorageFile file = process.storage().open(name)) {
            file.truncate(bytes.length);
            file.write(0, ByteBuffer.wrap(bytes));
        }
    }

    private static String segment(int number) {
        return SegmentNames.segment(DIRECTORY, number);
    }

    @Test
    void aClosedLogIsWhole() {
        write(40, true);
        LogScan scan = scan();
        assertThat(scan.verdict()).isInstanceOf(LogVerdict.Closed.class);
        assertThat(scan.segments()).hasSizeGreaterThan(3);
        assertThat(replay(scan)).isEqualTo(appended());
    }

    @Test
    void anyFlippedBitOfAClosedLogIsSeenOrHarmless() throws IOException {
        write(40, true);
        SeededRandom random = new SeededRandom(7);
        Map<String, Integer> seen = new HashMap<>();
        List<String> names = process.storage().list(DIRECTORY);
        for (String last : names) {
            String name = DIRECTORY + "/" + last;
            int size = read(name).length;
            for (int position = 0; position < size; position += 1 + random.nextInt(5)) {
                int bit = random.nextInt(8);
                world.disk(NODE).flipBit(name, position, bit);
                seen.merge(judge(name, position), 1, Integer::sum);
                world.disk(NODE).flipBit(name, position, bit);
            }
        }
        assertThat(seen.keySet()).containsExactlyInAnyOrder("harmless", "remark", "Cut", "Corrupt");
        assertThat(seen.get("Corrupt")).isGreaterThan(2_500);
        assertThat(scan().verdict()).isInstanceOf(LogVerdict.Closed.class);
    }

    private String judge(String name, int position) {
        LogScan scan = scan();
        return switch (scan.verdict()) {
            case LogVerdict.Corrupt corrupt -> {
                assertThat(corrupt.file()).isEqualTo(name);
                assertThat(corrupt.offset()).isLessThanOrEqualTo(position);
                assertThat(position - corrupt.offset())
                        .as("%s in %s at %s", corrupt, name, position)
                        .isLessThan(1024);
                assertThatThrownBy(scan::check)
                        .hasMessageContaining(name)
                        .extracting(e -> ((FulmarException) e).code())
                        .isEqualTo(ErrorCode.CORRUPTION);
                yield "Corrupt";
            }
            case LogVerdict.Cut cut -> {
                // Only the last seal may be cut off; nothing is lost with it.
                assertThat(replay(scan)).isEqualTo(appended());
                yield "Cut";
            }
            case LogVerdict.Closed closed -> {
                assertThat(replay(scan)).isEqualTo(appended());
                assertThat(scan.remarks().isEmpty()).isEqualTo(!name.equals(CONTROL) || position % 4096 >= 48);
                yield scan.remarks().isEmpty() ? "harmless" : "remark";
            }
            case LogVerdict.Empty empty -> throw new AssertionError(name + " at " + position);
        };
    }

    @Test
    void aMissingFileIsMissed() throws IOException {
        write(40, true);
        for (String last : process.storage().list(DIRECTORY)) {
            String name = DIRECTORY + "/" + last;
            byte[] content = read(name);
            process.storage().delete(name);
            assertThat(scan().verdict()).isEqualTo(new LogVerdict.Corrupt(name, 0, "the file is missing"));
            overwrite(name, content);
        }
        assertThat(scan().verdict()).isInstanceOf(LogVerdict.Closed.class);
    }

    @Test
    void aShortenedFileIsSeen() throws IOException {
        write(40, true);
        for (String last : process.storage().list(DIRECTORY)) {
            String name = DIRECTORY + "/" + last;
            byte[] content = read(name);
            for (int size = 0; size < content.length; size += 509) {
                try (StorageFile file = process.storage().open(name)) {
                    file.truncate(size);
                }
                LogScan scan = scan();
                if (scan.verdict() instanceof LogVerdict.Corrupt corrupt) {
                    assertThat(corrupt.file()).isEqualTo(name);
                } else {
                    assertThat(name).isEqualTo(CONTROL);
                    assertThat(size).isGreaterThanOrEqualTo(48);
                    assertThat(replay(scan)).isEqualTo(appended());
                }
                overwrite(name, content);
            }
        }
    }

    @Test
    void anUnattestedGroupThatIsNotWholeIsCut() throws IOException {
        write(3, false);
        LogScan whole = scan();
        GroupPlace last = Objects.requireNonNull(whole.lastGroupPlace());
        world.disk(NODE).flipBit(segment(1), last.offset() + last.bytes() - 1, 0);
        LogScan scan = scan();
        assertThat(scan.verdict())
                .isEqualTo(new LogVerdict.Cut(segment(1), last.offset(), "a group that is not whole"));
        assertThat(replay(scan)).isEqualTo(appended(2));
        assertThat(scan.lastGroup()).isEqualTo(whole.lastGroup() - 1);
    }

    @Test
    void anAttestedGroupThatIsNotWholeIsCorruption() throws IOException {
        write(2, false);
        GroupPlace place = Objects.requireNonNull(scan().lastGroupPlace());
        process.kill();
        SimulatedProcess next = world.startProcess(NODE);
        LogOpening.open(next.storage(), next.clock(), world.random("id"), SETTINGS, DurabilityListener.none());
        world.disk(NODE).flipBit(segment(1), place.offset() + 40, 0);
        LogScan scan = LogReader.scan(next.storage(), DIRECTORY);
        assertThat(scan.verdict()).isInstanceOfSatisfying(LogVerdict.Corrupt.class, corrupt -> {
            assertThat(corrupt.file()).isEqualTo(segment(1));
            assertThat(corrupt.offset()).isEqualTo(place.offset());
        });
        List<String> before = new ArrayList<>();
        scan.inspect((record, segment, offset) -> {
            if (record.stream() >= 0) {
                before.add(record.stream() + "/" + record.digest());
            }
        });
        assertThat(before).containsExactlyInAnyOrderElementsOf(appended(1));
        assertThatThrownBy(() -> scan.replay(stream -> true, (record, segment, offset) -> {}))
                .hasMessageContaining("corrupt");
        assertThatThrownBy(() -> LogOpening.open(
                        next.storage(), next.clock(), world.random("id"), SETTINGS, DurabilityListener.none()))
                .hasMessageContaining("corrupt");
    }

    @Test
    void withoutControlDataThereIsNoLog() throws IOException {
        assertThat(scan().verdict()).isEqualTo(new LogVerdict.Empty());
        write(1, true);
        overwrite(CONTROL, new byte[8192]);
        assertThat(scan().verdict()).isInstanceOf(LogVerdict.Corrupt.class);
    }

    @Test
    void anyBytesGetAVerdict() throws IOException {
        write(40, true);
        Map<String, byte[]> contents = new HashMap<>();
        for (String last : process.storage().list(DIRECTORY)) {
            contents.put(DIRECTORY + "/" + last, read(DIRECTORY + "/" + last));
        }
        for (int round = 0; round < 2_000; round++) {
            SeededRandom random = new SeededRandom(round);
            String name = DIRECTORY + "/" + process.storage().list(DIRECTORY).get(random.nextInt(contents.size()));
            byte[] content = Objects.requireNonNull(contents.get(name));
            overwrite(name, mangle(content, random));
            LogScan scan = scan();
            List<String> records = new ArrayList<>();
            if (!(scan.verdict() instanceof LogVerdict.Corrupt)) {
                records.addAll(replay(scan));
            }
            assertThat(appended()).containsAll(records);
            overwrite(name, content);
        }
    }

    private static byte[] mangle(byte[] content, SeededRandom random) {
        byte[] mangled = content.clone();
        int from = random.nextInt(mangled.length);
        int length = 1 + random.nextInt(mangled.length - from);
        switch (random.nextInt(4)) {
            case 0 -> {
                byte[] noise = new byte[length];
                random.nextBytes(noise);
                System.arraycopy(noise, 0, mangled, from, length);
            }
            case 1 -> System.arraycopy(content, random.nextInt(from + 1), mangled, from, length);
            case 2 -> Arrays.fill(mangled, from, from + length, (byte) 0);
            default -> Arrays.fill(mangled, from, from + length, (byte) -1);
        }
        return mangled;
    }

    @Test
    void aFileThatCannotBeReadIsNoVerdict() {
        write(3, true);
        world.disk(NODE).faults().failReads(1);
        assertThatThrownBy(this::scan)
                .hasMessageContaining(DIRECTORY)
                .extracting(e -> ((FulmarException) e).code())
                .isEqualTo(ErrorCode.STORAGE_FAILURE);
    }
}
