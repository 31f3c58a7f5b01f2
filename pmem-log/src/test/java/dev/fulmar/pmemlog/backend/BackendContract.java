package dev.fulmar.pmemlog.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import dev.fulmar.foundation.time.real.SystemClock;
import dev.fulmar.pmemlog.log.DurabilityListener;
import dev.fulmar.pmemlog.log.LogOpening;
import dev.fulmar.pmemlog.log.LogSettings;
import dev.fulmar.pmemlog.log.OperationLog;
import dev.fulmar.pmemlog.log.PartitionLogBuffer;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.record.RecordWriter;
import dev.fulmar.pmemlog.recovery.LogReader;
import dev.fulmar.pmemlog.recovery.LogScan;
import dev.fulmar.pmemlog.recovery.LogVerdict;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every backend does. */
public abstract class BackendContract {
    private static final int RECORDS = 2_000;

    /** Opens the backend, or opens it again where it is. */
    protected abstract Backend open() throws IOException;

    protected abstract DurabilityLevel expected();

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String content(Storage storage, String name) throws IOException {
        try (StorageFile file = storage.open(name)) {
            ByteBuffer target = ByteBuffer.allocateDirect((int) file.size());
            assertThat(file.read(0, target)).isEqualTo(target.capacity());
            return StandardCharsets.UTF_8.decode(target.flip()).toString();
        }
    }

    @Test
    void itStatesTheDurabilityThatItGives() throws IOException {
        try (Backend backend = open()) {
            assertThat(backend.durability()).isEqualTo(expected());
            assertThat(backend.explanation()).isNotBlank();
            assertThat(Integer.bitCount(backend.blockBytes())).isEqualTo(1);
        }
    }

    @Test
    void whatIsForcedIsThereAfterARestart() throws IOException {
        try (Backend backend = open();
                StorageFile file = backend.storage().open("d/a");
                StorageFile synchronous = backend.storage().openSynchronous("d/b")) {
            file.write(3, bytes("gulls"));
            file.force();
            synchronous.write(0, bytes("fulmars"));
            backend.storage().forceDirectory("d");
            synchronous.write(7, bytes("!"));
        }
        try (Backend backend = open()) {
            assertThat(backend.storage().list("d")).containsExactly("a", "b");
            assertThat(content(backend.storage(), "d/a")).isEqualTo("\0\0\0gulls");
            assertThat(content(backend.storage(), "d/b")).isEqualTo("fulmars!");
        }
    }

    @Test
    void filesGrowShrinkAndChangeNames() throws IOException {
        try (Backend backend = open()) {
            Storage storage = backend.storage();
            try (StorageFile file = storage.open("a");
                    StorageFile target = storage.open("b")) {
                file.write(0, bytes("abcdef"));
                file.truncate(1);
                file.write(3, bytes("z"));
                file.truncate(100);
                assertThat(file.size()).isEqualTo(4);
                target.write(0, bytes("previous"));
                storage.rename("a", "b");
                assertThat(content(storage, "b")).isEqualTo("a\0\0z");
                assertThat(target.size()).isEqualTo(8);
                storage.delete("b");
                storage.delete("b");
                assertThat(file.size()).isEqualTo(4);
            }
            assertThat(storage.exists("b")).isFalse();
            assertThatThrownBy(() -> storage.rename("absent", "x")).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> storage.open("../a")).isInstanceOf(IllegalArgumentException.class);
            StorageFile closed = storage.open("c");
            closed.close();
            closed.close();
            assertThatThrownBy(() -> closed.write(0, bytes("x"))).isInstanceOf(IOException.class);
        }
    }

    @Test
    void spaceOfDeletedFilesIsUsedAgain() throws IOException {
        try (Backend backend = open()) {
            Storage storage = backend.storage();
            for (int i = 0; i < 40; i++) {
                try (StorageFile file = storage.open("f" + i)) {
                    file.write(0, ByteBuffer.allocate(1 << 20));
                    file.force();
                }
                storage.forceDirectory("");
                storage.delete("f" + i);
                storage.forceDirectory("");
            }
            assertThat(storage.list("")).doesNotContain("f39");
        }
    }

    @Test
    void aLogIsRecoveredWithOneFenceForAGroup() throws IOException {
        List<Long> digests = new ArrayList<>();
        try (Backend backend = open()) {
            LogSettings settings =
                    new LogSettings("olog", 1 << 18, backend.blockBytes(), 1 << 16, 1 << 14, 1 << 14, 8, 1, 10_000_000);
            OperationLog log = LogOpening.open(
                    backend.storage(), new SystemClock(), new SeededRandom(1), settings, DurabilityListener.none());
            PartitionLogBuffer lane = log.openLane(0);
            for (long i = 1; i <= RECORDS; i++) {
                RecordWriter record = lane.begin(RecordKind.VALUES, 64);
                while (record == null) {
                    step(log);
                    record = lane.begin(RecordKind.VALUES, 64);
                }
                record.digest(i);
                lane.commit(64);
                digests.add(i);
            }
            while (lane.durablePosition() < lane.position()) {
                step(log);
            }
            assertThat(log.counters().fences())
                    .isEqualTo(log.counters().groups() + log.counters().seals());
            log.onClose();
            log.preparer().onClose();
        }
        try (Backend backend = open()) {
            LogScan scan = LogReader.scan(backend.storage(), "olog");
            assertThat(scan.verdict()).isInstanceOf(LogVerdict.Closed.class);
            List<Long> found = new ArrayList<>();
            scan.replay(stream -> stream == 0, (record, segment, offset) -> found.add(record.digest()));
            assertThat(found).isEqualTo(digests);
        }
    }

    private static void step(OperationLog log) {
        log.doWork();
        log.preparer().doWork();
    }
}
