package dev.fulmar.pmemlog.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Damaged files. What is loaded is right, or the load fails and says where; it is never wrong. */
class CheckpointDamageTest {
    private static final int USED_OF_SUPERBLOCK = 160;

    private final SimulatedWorld world = new SimulatedWorld(3);
    private final SimulatedProcess process = world.startProcess(new NodeId(0));
    private final Storage storage = process.storage();
    private final SeededRandom random = new SeededRandom(5);
    private SortedMap<Long, byte[]> rows = new TreeMap<>();

    @BeforeEach
    void makeCheckpoints() {
        CheckpointFixture fixture = new CheckpointFixture(storage, process.clock(), random);
        for (int round = 0; round < 12; round++) {
            for (int change = 0; change < 12; change++) {
                long row = random.nextInt(60);
                if (random.nextInt(5) == 0) {
                    fixture.remove(row);
                } else {
                    fixture.put(row, 20 + random.nextInt(random.nextInt(20) == 0 ? 5_000 : 200), round);
                }
            }
            fixture.checkpoint();
        }
        assertThat(fixture.checkpointer().counters().reclaimedSegments()).isPositive();
        rows = new TreeMap<>(fixture.rows());
        fixture.close();
    }

    private SortedMap<Long, byte[]> load() {
        return CheckpointFixture.load(storage, random);
    }

    /** Whether the damage is found; what is loaded otherwise is right. */
    private boolean isFound(String file) {
        try {
            assertThat(CheckpointFixture.same(rows, load())).as(file).isTrue();
            return false;
        } catch (FulmarException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION);
            assertThat(e.getMessage()).contains("checkpoint/").contains("offset");
            return true;
        }
    }

    private static void flip(StorageFile file, long offset, int bit) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        file.read(offset, one);
        one.put(0, (byte) (one.get(0) ^ 1 << bit));
        file.write(offset, one.flip());
    }

    @Test
    void withoutDamageEverythingIsThere() {
        assertThat(CheckpointFixture.same(rows, load())).isTrue();
    }

    @Test
    void aFlippedBitIsFoundOrDoesNoHarm() throws IOException {
        int found = 0;
        int flips = 0;
        for (String name : storage.list("checkpoint")) {
            String file = "checkpoint/" + name;
            try (StorageFile open = storage.open(file)) {
                long end = name.equals("superblock") ? USED_OF_SUPERBLOCK : open.size();
                for (long offset = random.nextInt(7); offset < end; offset += 1 + random.nextInt(13)) {
                    int bit = random.nextInt(8);
                    flip(open, offset, bit);
                    found += isFound(file) ? 1 : 0;
                    flips++;
                    flip(open, offset, bit);
                }
            }
        }
        assertThat(flips).isGreaterThan(1_000);
        assertThat(found).as("most bytes are padding and room").isGreaterThan(flips / 8);
        assertThat(CheckpointFixture.same(rows, load())).isTrue();
    }

    @Test
    void aDamagedCopyOfTheSuperblockIsRepaired() throws IOException {
        for (int copy = 0; copy < 2; copy++) {
            try (StorageFile open = storage.open("checkpoint/superblock")) {
                flip(open, (long) copy * Superblock.SLOT_BYTES + 30, 3);
            }
            try (CheckpointStore store = CheckpointStore.open(storage, CheckpointFixture.SETTINGS, random)) {
                assertThat(store.remarks()).singleElement().asString().contains("copy " + (copy + 1));
            }
            try (CheckpointStore store = CheckpointStore.open(storage, CheckpointFixture.SETTINGS, random)) {
                assertThat(store.remarks()).isEmpty();
            }
        }
        assertThat(CheckpointFixture.same(rows, load())).isTrue();
    }

    @Test
    void twoDamagedCopiesAreCorruption() throws IOException {
        try (StorageFile open = storage.open("checkpoint/superblock")) {
            flip(open, 30, 3);
            flip(open, Superblock.SLOT_BYTES + 30, 3);
        }
        assertThatThrownBy(this::load).isInstanceOf(FulmarException.class).hasMessageContaining("superblock");
    }

    @Test
    void aMissingFileIsFound() throws IOException {
        for (String name : storage.list("checkpoint")) {
            storage.rename("checkpoint/" + name, "elsewhere/" + name);
            assertThat(isFound(name)).as(name).isTrue();
            storage.delete("checkpoint/superblock-new");
            storage.rename("elsewhere/" + name, "checkpoint/" + name);
        }
        assertThat(CheckpointFixture.same(rows, load())).isTrue();
    }

    @Test
    void aShorterFileIsFound() throws IOException {
        for (String name : storage.list("checkpoint")) {
            try (StorageFile open = storage.open("checkpoint/" + name)) {
                long size = open.size();
                ByteBuffer end = ByteBuffer.allocate((int) Math.min(size, 1_200));
                open.read(size - end.capacity(), end);
                open.truncate(size - end.capacity());
                if (!name.equals("superblock")) {
                    assertThat(isFound(name)).as(name).isTrue();
                }
                open.write(size - end.capacity(), end.flip());
            }
        }
        assertThat(CheckpointFixture.same(rows, load())).isTrue();
    }

    /** An older copy of the superblock would name rows that the master heap has in newer versions. */
    @Test
    void aSuperblockFromBeforeIsFound() throws IOException {
        ByteBuffer old = ByteBuffer.allocate(2 * Superblock.SLOT_BYTES);
        try (StorageFile open = storage.open("checkpoint/superblock")) {
            open.read(0, old);
            makeCheckpoints();
            open.write(0, old.flip());
        }
        assertThatThrownBy(this::load)
                .isInstanceOf(FulmarException.class)
                .extracting(failure -> ((FulmarException) failure).code())
                .isEqualTo(ErrorCode.CORRUPTION);
    }
}
