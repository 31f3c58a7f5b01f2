package dev.fulmar.pmemlog.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.foundation.storage.ForwardingFile;
import dev.fulmar.foundation.storage.ForwardingStorage;
import dev.fulmar.foundation.storage.Storage;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Space of rows that went comes back to the file system, and no row goes with it. */
class SpaceGivenBackTest {
    private static final long SECOND = 1_000_000_000;

    private final SimulatedWorld world = new SimulatedWorld(1);
    private final SimulatedProcess process = world.startProcess(new NodeId(0));
    private final Storage storage = process.storage();
    private final SeededRandom random = new SeededRandom(1);

    private long masterBytes() throws IOException {
        try (Storage.StorageFile file = storage.open("checkpoint/master-0")) {
            return file.size();
        }
    }

    private void assertLoads(CheckpointFixture fixture, String what) {
        assertThat(CheckpointFixture.same(fixture.rows(), CheckpointFixture.load(storage, random)))
                .as(what)
                .isTrue();
    }

    /** The entries that say which rows went stay in the checkpoint log: what lies in their slots later must not go. */
    @Test
    void rowsThatWentTakeNoSpaceAndThoseThatComeAreThere() throws IOException {
        CheckpointFixture fixture = new CheckpointFixture(storage, process.clock(), random);
        long most = 0;
        for (int round = 0; round < 6; round++) {
            for (int row = 0; row < 200; row++) {
                fixture.put(row, 400, row + round);
            }
            fixture.checkpoint();
            most = Math.max(most, masterBytes());
            assertLoads(fixture, "rows of round " + round);
            for (int row = 10; row < 200; row++) {
                fixture.remove(row);
            }
            fixture.checkpoint();
            assertThat(masterBytes()).as("left of " + most).isLessThan(most / 3);
            assertLoads(fixture, "what is left in round " + round);
        }
        assertThat(most).isLessThan(3 * 200 * 400);
        assertThat(fixture.checkpointer().counters().givenBackBytes()).isGreaterThan(6 * 150 * 400);
    }

    /** Rows at the end of the file stay where they are. */
    @Test
    void spaceWithinTheFileIsGivenBack() throws IOException {
        AtomicLong discarded = new AtomicLong();
        Storage counting = new DiscardCount(storage, discarded);
        CheckpointFixture fixture = new CheckpointFixture(counting, process.clock(), random);
        for (int row = 0; row < 200; row++) {
            fixture.put(row, 400, row);
        }
        fixture.checkpoint();
        long before = masterBytes();
        for (int row = 0; row < 150; row++) {
            fixture.remove(row);
        }
        fixture.checkpoint();
        assertThat(masterBytes()).isEqualTo(before);
        assertThat(discarded.get()).isBetween(100L * 400, before);
        assertLoads(fixture, "rows at the end");
        long once = discarded.get();
        fixture.put(199, 400, 1);
        fixture.checkpoint();
        assertThat(discarded.get()).as("bytes that were discarded before").isEqualTo(once);
    }

    @Test
    void itBeginsByItselfSomeTimeAfterMuchHasGone() {
        CheckpointFixture fixture = new CheckpointFixture(storage, process.clock(), random);
        fixture.put(1, 10, 1);
        fixture.goneBytes = 100 << 20;
        world.runFor(SECOND);
        fixture.run();
        fixture.goneBytes = 200 << 20;
        world.runFor(5 * SECOND);
        fixture.run();
        assertThat(fixture.published).as("while more goes").isEmpty();
        world.runFor(5 * SECOND);
        fixture.run();
        assertThat(fixture.published).hasSize(1);
        assertThat(fixture.checkpointer().lastReason()).isEqualTo(CheckpointPolicy.Reason.SPACE);
        fixture.goneBytes = 1 << 20;
        world.runFor(10 * SECOND);
        fixture.run();
        world.runFor(10 * SECOND);
        fixture.run();
        assertThat(fixture.published).as("after little has gone").hasSize(1);
    }

    /** Counts the bytes that are discarded. */
    private static final class DiscardCount extends ForwardingStorage {
        private final AtomicLong discarded;

        DiscardCount(Storage storage, AtomicLong discarded) {
            super(storage);
            this.discarded = discarded;
        }

        @Override
        public StorageFile open(String name) throws IOException {
            return new ForwardingFile(super.open(name)) {
                @Override
                public void discard(long position, long bytes) throws IOException {
                    discarded.addAndGet(bytes);
                    super.discard(position, bytes);
                }
            };
        }
    }
}
