package dev.fulmar.pmemlog.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.agent.real.IdleStrategy;
import dev.fulmar.foundation.agent.real.ThreadAgentRunner;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.real.FileStorage;
import dev.fulmar.foundation.time.real.SystemClock;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.record.RecordWriter;
import dev.fulmar.pmemlog.recovery.LogReader;
import dev.fulmar.pmemlog.recovery.LogScan;
import dev.fulmar.pmemlog.recovery.LogVerdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real threads and real files. */
class ThreadedLogTest {
    private static final int STREAMS = 2;
    private static final int RECORDS = 20_000;
    private static final LogSettings SETTINGS =
            new LogSettings("olog", 1 << 20, 4096, 1 << 16, 1 << 16, 1 << 14, 64, 1, 10_000_000);

    @TempDir
    private Path directory = Path.of("");

    private final AtomicReference<Throwable> thrown = new AtomicReference<>();

    @Test
    void whatThreadsAppendIsRecovered() throws IOException, InterruptedException {
        Storage storage = new FileStorage(directory);
        OperationLog log =
                LogOpening.open(storage, new SystemClock(), new SeededRandom(1), SETTINGS, DurabilityListener.none());
        IdleStrategy idle = new IdleStrategy(10, 10, 1_000_000);
        ThreadAgentRunner preparer = new ThreadAgentRunner(log.preparer(), idle, thrown::set);
        ThreadAgentRunner runner = new ThreadAgentRunner(log, idle, thrown::set);
        preparer.start();
        runner.start();
        List<Thread> owners = new ArrayList<>();
        for (int stream = 0; stream < STREAMS; stream++) {
            PartitionLogBuffer lane = log.openLane(stream);
            owners.add(Thread.ofPlatform()
                    .uncaughtExceptionHandler((thread, failure) -> thrown.set(failure))
                    .start(() -> own(lane, runner)));
        }
        for (Thread owner : owners) {
            owner.join();
        }
        runner.close();
        preparer.close();
        assertThat(thrown.get()).isNull();
        assertThat(log.counters().records()).isEqualTo(STREAMS * RECORDS);
        assertThat(log.counters().fences())
                .isEqualTo(log.counters().groups() + log.counters().seals());
        assertThat(log.counters().rotations()).isPositive();
        check(LogReader.scan(storage, "olog"));
    }

    private static void own(PartitionLogBuffer lane, ThreadAgentRunner runner) {
        SeededRandom sizes = new SeededRandom(lane.stream());
        for (int i = 0; i < RECORDS; i++) {
            int size = i % 1_000 == 0 ? 10_000 : sizes.nextInt(100);
            RecordWriter record = lane.begin(RecordKind.VALUES, size);
            while (record == null) {
                runner.wakeUp();
                Thread.onSpinWait();
                record = lane.begin(RecordKind.VALUES, size);
            }
            Arrays.fill(record.array(), record.payloadOffset(), record.payloadOffset() + size, (byte) i);
            record.digest(i);
            lane.commit(size);
        }
        while (lane.durablePosition() < lane.position()) {
            runner.wakeUp();
            Thread.onSpinWait();
        }
    }

    private static void check(LogScan scan) {
        assertThat(scan.verdict()).isInstanceOf(LogVerdict.Closed.class);
        long[] next = new long[STREAMS];
        scan.replay(stream -> true, (record, segment, offset) -> {
            long number = next[record.stream()]++;
            assertThat(record.digest()).isEqualTo(number);
            assertThat(record.sequence()).isEqualTo(number + 1);
            for (byte value : record.payload()) {
                if (value != (byte) number) {
                    throw new AssertionError("record " + number + " has other bytes");
                }
            }
        });
        assertThat(next).containsOnly(RECORDS);
    }
}
