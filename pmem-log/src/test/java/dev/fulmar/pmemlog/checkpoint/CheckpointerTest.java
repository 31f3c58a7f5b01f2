package dev.fulmar.pmemlog.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.simulated.SimulatedDisk;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.foundation.storage.ForwardingStorage;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.real.FileStorage;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.pmemlog.FewDescriptors;
import dev.fulmar.pmemlog.checkpoint.CheckpointPolicy.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a checkpointer does when. */
class CheckpointerTest {
    private static final long SECOND = 1_000_000_000;

    private final SimulatedWorld world = new SimulatedWorld(1);
    private final SimulatedProcess process = world.startProcess(new NodeId(0));
    private final Storage storage = process.storage();
    private final SeededRandom random = new SeededRandom(1);

    private SimulatedDisk disk() {
        return world.disk(new NodeId(0));
    }

    @Test
    void nothingIsPublishedBeforeTheLogIsDurable() {
        CheckpointFixture fixture = new CheckpointFixture(storage, process.clock(), random);
        fixture.put(1, 10, 1);
        fixture.durable = false;
        fixture.checkpoint();
        assertThat(fixture.published).isEmpty();
        assertThat(CheckpointFixture.load(storage, random)).isEmpty();
        fixture.durable = true;
        fixture.run();
        assertThat(fixture.published).hasSize(1);
    }

    /** Wherever the device is full, the checkpoint goes on when it no longer is, and holds what it should. */
    @Test
    void aFullDeviceInterruptsACheckpoint() {
        CheckpointFixture fixture = new CheckpointFixture(storage, process.clock(), random);
        for (int round = 0; round < 40; round++) {
            for (int row = 0; row < 30; row++) {
                fixture.put(row, 40 + 17 * ((row + round) % 30), round + row);
            }
            disk().capacity(disk().usedBytes() + 512L * round);
            fixture.checkpointer().request();
            fixture.run();
            boolean interrupted = fixture.checkpointer().shortage() != null;
            assertThat(fixture.published).hasSize(interrupted ? round : round + 1);
            disk().capacity(Long.MAX_VALUE);
            fixture.run();
            assertThat(fixture.published).as("before the next attempt is due").hasSize(interrupted ? round : round + 1);
            world.runFor(2 * SECOND);
            fixture.run();
            assertThat(fixture.checkpointer().shortage()).isNull();
            assertThat(fixture.published).hasSize(round + 1);
            assertThat(CheckpointFixture.same(fixture.rows(), CheckpointFixture.load(storage, random)))
                    .isTrue();
        }
    }

    /** Whichever file a checkpoint cannot open: it waits and goes on. */
    @Test
    void aProcessWithoutDescriptorsInterruptsACheckpoint() {
        FewDescriptors files = new FewDescriptors(storage);
        CheckpointFixture fixture = new CheckpointFixture(files, process.clock(), random);
        int interruptions = 0;
        for (int round = 0; round < 40; round++) {
            for (int row = 0; row < 30; row++) {
                fixture.put(row, 40 + 17 * ((row + round) % 30), round + row);
            }
            files.leave(round % 8);
            fixture.checkpointer().request();
            fixture.run();
            interruptions += fixture.checkpointer().shortage() == null ? 0 : 1;
            files.leave(Integer.MAX_VALUE);
            world.runFor(2 * SECOND);
            fixture.run();
            assertThat(fixture.checkpointer().shortage()).isNull();
            assertThat(fixture.published).hasSize(round + 1);
            assertThat(CheckpointFixture.same(fixture.rows(), CheckpointFixture.load(storage, random)))
                    .isTrue();
        }
        assertThat(interruptions).isGreaterThan(5);
    }

    /** A clock on which every look at it takes a millisecond: work takes time. */
    private static final class SlowClock implements Clock {
        private long nanos;

        @Override
        public long monotonicNanos() {
            nanos += 1_000_000;
            return nanos;
        }

        @Override
        public long wallMicros() {
            return nanos / 1000;
        }
    }

    /** A checkpoint that is due by the log's size; returns how often it was asked to work and did not. */
    private static int restsOfACheckpoint(CheckpointFixture fixture, long logOfAStep) {
        int before = fixture.published.size();
        fixture.put(1, 10, before);
        fixture.logBytes += 1000;
        int rests = 0;
        for (int step = 0; fixture.published.size() == before; step++) {
            assertThat(step).isLessThan(1000);
            rests += fixture.checkpointer().doWork() == 0 ? 1 : 0;
            fixture.logBytes += logOfAStep;
        }
        return rests;
    }

    @Test
    void itRestsAfterAStintUnlessTheNextCheckpointIsDue() {
        CheckpointPolicy policy = new CheckpointPolicy(1000, 1L << 40, Long.MAX_VALUE, 1L << 40);
        CheckpointFixture fixture =
                new CheckpointFixture(storage, new SlowClock(), random, CheckpointFixture.SETTINGS, policy);
        assertThat(restsOfACheckpoint(fixture, 0)).isPositive();
        assertThat(restsOfACheckpoint(fixture, 1000)).isZero();
        int before = fixture.published.size();
        fixture.put(1, 10, 99);
        fixture.checkpointer().request();
        fixture.run();
        assertThat(fixture.published).as("somebody waits for it").hasSize(before + 1);
    }

    @Test
    void slotsSideBySideAreWrittenTogetherAndNewExtentsTakeNoZeros() {
        CheckpointSettings settings = new CheckpointSettings("checkpoint", 256, 1024, 4096, 8192, 1 << 18);
        AtomicInteger writes = new AtomicInteger();
        CheckpointFixture fixture = new CheckpointFixture(
                new CountingStorage(storage, "checkpoint/master", writes),
                process.clock(),
                random,
                settings,
                CheckpointFixture.NEVER);
        for (int life = 0; life < 2; life++) {
            for (int row = 0; row < 100; row++) {
                fixture.put(row, 20, 1 + row + life);
            }
            fixture.checkpoint();
        }
        assertThat(fixture.checkpointer().counters().writtenStraight()).isEqualTo(100);
        for (int round = 0; fixture.checkpointer().counters().writtenBack() < 100; round++) {
            fixture.put(1000, 2000, round); // until the first segments have gone
            fixture.checkpoint();
        }
        assertThat(writes.get()).isLessThan(20);
        assertThat(fixture.checkpointer().counters().masterZeroBytes()).isLessThan(settings.extentBytes());
        assertThat(CheckpointFixture.same(fixture.rows(), CheckpointFixture.load(storage, random)))
                .isTrue();
    }

    @Test
    void aFailedForceIsNotTriedAgain() {
        CheckpointFixture fixture = new CheckpointFixture(storage, process.clock(), random);
        fixture.put(1, 10, 1);
        disk().faults().failForces(1);
        fixture.checkpointer().request();
        while (fixture.checkpointer().doWork() > 0) {
            assertThat(fixture.published).isEmpty();
        }
        disk().faults().failForces(0);
        world.runFor(2 * SECOND);
        fixture.checkpointer().request();
        assertThat(fixture.checkpointer().doWork()).isZero();
        assertThat(fixture.checkpointer().failure()).isNotNull();
        assertThat(fixture.isAbandoned())
                .as("what is kept for the checkpoint may go")
                .isTrue();
        assertThat(fixture.published).isEmpty();
    }

    @Test
    void nothingIsWrittenWhileItIsHeld() {
        CheckpointFixture fixture = new CheckpointFixture(storage, process.clock(), random);
        fixture.durable = false;
        fixture.put(1, 10, 1);
        fixture.checkpoint();
        fixture.checkpointer().hold();
        fixture.run();
        assertThat(fixture.checkpointer().isHeld())
                .as("a checkpoint is under way")
                .isFalse();
        fixture.durable = true;
        fixture.run();
        fixture.put(1, 10, 2);
        fixture.checkpoint();
        assertThat(fixture.checkpointer().isHeld()).isTrue();
        assertThat(fixture.published).hasSize(1);
        fixture.checkpointer().resume();
        fixture.run();
        assertThat(fixture.published).hasSize(2);
    }

    /** What is left of the time after loading decides, but loading alone never makes checkpoints all the time. */
    @Test
    void theTimeOfARestartCountsLoading() {
        CheckpointPolicy policy = new CheckpointPolicy(1L << 40, 1L << 40, 12 * SECOND, 100, 1000, 2 * SECOND);
        assertThat(policy.due(900, 900, 0, 0)).isEqualTo(Reason.NONE);
        assertThat(policy.due(1000, 1000, 0, 0)).isEqualTo(Reason.RECOVERY_TIME);
        assertThat(policy.due(500, 500, 0, 5000)).isEqualTo(Reason.RECOVERY_TIME);
        assertThat(policy.due(299, 299, 0, 1 << 30)).isEqualTo(Reason.NONE);
        assertThat(policy.due(300, 300, 0, 1 << 30)).isEqualTo(Reason.RECOVERY_TIME);
        assertThat(policy.due(10, 1000, 0, 0)).as("many small records").isEqualTo(Reason.RECOVERY_TIME);
    }

    /** However long a checkpoint takes, a restart while it is under way is still in time. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5, 20})
    void aRestartAtAnyMomentKeepsItsObjective(int stepsOfARound) {
        CheckpointPolicy policy = new CheckpointPolicy(1L << 40, 1L << 40, 10 * SECOND, 1000, 1 << 20, SECOND);
        CheckpointFixture fixture =
                new CheckpointFixture(storage, process.clock(), random, CheckpointFixture.SETTINGS, policy);
        long covered = 0;
        long begun = 0;
        double longest = 0;
        int stepsUnderWay = 0;
        for (int step = 0; step < 3000; step++) {
            int published = fixture.published.size();
            fixture.put(step % 7, 20, step);
            fixture.durable = stepsUnderWay >= stepsOfARound;
            fixture.run();
            boolean underWay = fixture.checkpointer().stage() != Checkpointer.Stage.IDLE;
            if (underWay && stepsUnderWay == 0) {
                begun = fixture.logBytes;
            }
            stepsUnderWay = underWay ? stepsUnderWay + 1 : 0;
            if (fixture.published.size() > published) {
                covered = begun;
            }
            world.runFor(SECOND / 10);
            fixture.logBytes += 200;
            if (fixture.published.size() > 1) { // how long a round takes is known
                longest = Math.max(longest, policy.restartNanos(0, fixture.logBytes - covered));
            }
        }
        assertThat(fixture.published).hasSizeGreaterThan(10);
        assertThat(longest)
                .as("in time, and not far too early")
                .isBetween(8.5 * SECOND, (double) 10 * SECOND + 2 * policy.replayNanos(200));
    }

    @Test
    void theLogIsReleasedOneCheckpointLater() {
        CheckpointFixture fixture = new CheckpointFixture(storage, process.clock(), random);
        fixture.put(1, 10, 1);
        fixture.checkpoint();
        assertThat(fixture.released).isEmpty();
        fixture.put(1, 10, 2);
        fixture.checkpoint();
        assertThat(fixture.released).containsExactly(new CheckpointPosition(1, 0, 1, 0));
    }

    /** Nothing can be written to a full log, so nothing else would make a checkpoint due. */
    @Test
    void aFullLogGetsBackAllThatIsCovered() {
        CheckpointFixture fixture = new CheckpointFixture(storage, process.clock(), random);
        fixture.put(1, 10, 1);
        fixture.checkpoint();
        fixture.put(1, 10, 2);
        fixture.checkpoint();
        fixture.run();
        assertThat(fixture.released).containsExactly(new CheckpointPosition(1, 0, 1, 0));
        fixture.logIsFull = true;
        fixture.run();
        assertThat(fixture.released).last().isEqualTo(new CheckpointPosition(2, 0, 2, 0));
        assertThat(fixture.checkpointer().lastReason()).isEqualTo(Reason.LOG_FULL);
        long rounds = fixture.checkpointer().counters().rounds();
        fixture.run();
        assertThat(fixture.checkpointer().counters().rounds())
                .as("once there is nothing more to give up, it rests")
                .isEqualTo(rounds);
        fixture.close();
        CheckpointFixture restarted = new CheckpointFixture(storage, process.clock(), random);
        restarted.logIsFull = true;
        restarted.run();
        assertThat(restarted.released).last().isEqualTo(new CheckpointPosition(2, 0, 2, 0));
    }

    @Test
    void itBeginsByItselfWhenTheLogHasGrown() {
        CheckpointPolicy policy = new CheckpointPolicy(1000, 500, 2 * SECOND, 400);
        assertThat(policy.due(0, 0, 0, 0)).isEqualTo(Reason.NONE);
        assertThat(policy.due(1000, 1000, 0, 0)).isEqualTo(Reason.LOG_SIZE);
        assertThat(policy.due(10, 10, 500, 0)).isEqualTo(Reason.DIRTY_MEMORY);
        assertThat(policy.due(800, 800, 0, 0)).isEqualTo(Reason.RECOVERY_TIME);
        assertThatThrownBy(() -> new CheckpointPolicy(0, 1, 1, 1)).isInstanceOf(FulmarException.class);
        CheckpointFixture fixture =
                new CheckpointFixture(storage, process.clock(), random, CheckpointFixture.SETTINGS, policy);
        fixture.put(1, 10, 1);
        fixture.run();
        assertThat(fixture.published).isEmpty();
        fixture.logBytes = 1000;
        fixture.run();
        assertThat(fixture.published).hasSize(1);
        assertThat(fixture.checkpointer().lastReason()).isEqualTo(Reason.LOG_SIZE);
        fixture.run();
        assertThat(fixture.published).hasSize(1);
    }

    @Test
    void itLooksAtThePartitionsNowAndThenWhileNothingIsDue() {
        CheckpointFixture fixture = new CheckpointFixture(storage, process.clock(), random);
        fixture.run();
        int before = fixture.dirtyLooks;
        for (int look = 0; look < 100; look++) {
            fixture.run();
        }
        assertThat(fixture.dirtyLooks).isEqualTo(before);
        world.runFor(SECOND);
        fixture.run();
        assertThat(fixture.dirtyLooks).isGreaterThan(before);
    }

    /** Rows of changing sizes, for ever: the files stay as large as what is alive needs. */
    @Test
    void spaceIsUsedAgain() throws IOException {
        CheckpointFixture fixture = new CheckpointFixture(storage, process.clock(), random);
        long most = 0;
        for (int round = 0; round < 400; round++) {
            int size = round % 100 < 50 ? 50 : 700;
            for (int change = 0; change < 8; change++) {
                fixture.put(random.nextInt(40), size + random.nextInt(300), round);
            }
            fixture.checkpoint();
            long bytes = 0;
            for (String name : storage.list("checkpoint")) {
                try (Storage.StorageFile file = storage.open("checkpoint/" + name)) {
                    bytes += name.equals("superblock") ? 0 : file.size();
                }
            }
            most = Math.max(most, bytes);
        }
        assertThat(most).isLessThan(200_000);
        assertThat(fixture.checkpointer().counters().clogBytes()).isGreaterThan(1_000_000);
        CheckpointCounters counters = fixture.checkpointer().counters();
        assertThat(counters.superseded()).isPositive();
        assertThat(counters.writtenBack()).isPositive();
    }

    /** A device that is slower than the load: the next checkpoint is due when one ends. */
    @Test
    void entriesAreWrittenBackAlthoughTheNextCheckpointIsAlwaysDue() throws IOException {
        CheckpointFixture fixture = new CheckpointFixture(storage, process.clock(), random);
        long most = 0;
        for (int step = 0; step < 10_000; step++) {
            fixture.put(random.nextInt(40), 50 + random.nextInt(300), step);
            fixture.checkpointer().request();
            fixture.checkpointer().doWork();
            most = Math.max(most, disk().usedBytes());
        }
        assertThat(fixture.checkpointer().counters().rounds()).isGreaterThan(1_000);
        assertThat(fixture.checkpointer().counters().writtenBack()).isPositive();
        assertThat(most).isLessThan(500_000);
    }

    /** A process that opens no file that is there already, as a write-back does and a round does not. */
    private static final class NewFilesOnly extends ForwardingStorage {
        private boolean isShort;

        NewFilesOnly(Storage storage) {
            super(storage);
        }

        @Override
        public StorageFile open(String name) throws IOException {
            if (isShort && list("checkpoint").contains(name.substring("checkpoint/".length()))) {
                throw new IOException(name + ": Too many open files");
            }
            return super.open(name);
        }
    }

    @Test
    void aRoundDoesNotWaitForAWriteBackThatLacksDescriptors() {
        NewFilesOnly files = new NewFilesOnly(storage);
        CheckpointFixture fixture = new CheckpointFixture(files, process.clock(), random);
        for (int round = 0; round < 2; round++) { // new rows go to the master heap at once, changed ones do not
            for (int row = 0; row < 500; row++) {
                fixture.put(row, 300, row + round);
            }
            fixture.checkpointer().request();
            while (fixture.published.size() == round) {
                fixture.checkpointer().doWork();
            }
        }
        long before = fixture.checkpointer().counters().reclaimedSegments();
        files.isShort = true;
        fixture.put(1, 10, 1);
        fixture.checkpoint();
        assertThat(fixture.published).hasSize(3);
        assertThat(fixture.checkpointer().counters().reclaimedSegments()).isEqualTo(before);
        files.isShort = false;
        world.runFor(2 * SECOND);
        fixture.run();
        assertThat(fixture.checkpointer().counters().reclaimedSegments()).isGreaterThan(before);
        assertThat(CheckpointFixture.same(fixture.rows(), CheckpointFixture.load(storage, random)))
                .isTrue();
    }

    /** Rows that are written again and again never reach the master heap. */
    @Test
    void hotRowsAreNotWrittenBack() {
        CheckpointFixture fixture = new CheckpointFixture(storage, process.clock(), random);
        for (int round = 0; round < 100; round++) {
            for (int row = 0; row < 4; row++) {
                fixture.put(row, 100, round);
            }
            fixture.checkpoint();
        }
        CheckpointCounters counters = fixture.checkpointer().counters();
        assertThat(counters.rowImages()).isEqualTo(400);
        assertThat(counters.writtenBack()).isZero();
        assertThat(counters.superseded()).isGreaterThan(300);
    }

    @Test
    void realFilesHoldIt(@TempDir Path directory) throws IOException {
        FileStorage files = new FileStorage(directory);
        CheckpointFixture fixture = new CheckpointFixture(files, process.clock(), random);
        for (int round = 0; round < 10; round++) {
            for (int row = 0; row < 20; row++) {
                fixture.put(row, 100 + 100 * row, round);
            }
            fixture.checkpoint();
        }
        fixture.close();
        assertThat(CheckpointFixture.same(fixture.rows(), CheckpointFixture.load(files, random)))
                .isTrue();
    }
}
