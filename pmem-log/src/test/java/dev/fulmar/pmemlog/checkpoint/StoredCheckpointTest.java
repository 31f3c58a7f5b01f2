package dev.fulmar.pmemlog.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Files of each format version, which another program made by the tables in docs/CHECKPOINTS.md, can be read for ever.
 */
class StoredCheckpointTest {
    private static final int CLOG_BYTES = 8192;
    private static final int EXTENT_BYTES = 1 << 20;

    private final Storage storage =
            new SimulatedWorld(1).startProcess(new NodeId(0)).storage();

    /** Zeros at the end of a file are not kept. */
    private void store(String resource, String name, long bytes, long... offsets) throws IOException {
        try (InputStream stream = StoredCheckpointTest.class.getResourceAsStream(resource);
                StorageFile file = storage.open(name)) {
            byte[] content = Objects.requireNonNull(stream).readAllBytes();
            file.write(bytes - 1, ByteBuffer.wrap(new byte[1]));
            for (long offset : offsets) {
                file.write(offset, ByteBuffer.wrap(content));
            }
        }
    }

    @Test
    void theStoredCheckpointOfVersionOneIsRead() throws IOException {
        assertThat(load(1, EXTENT_BYTES)).containsExactlyInAnyOrder("5 0 0 new", "5 1 7 seven");
    }

    /** Packed images, an extent that is given up, and one that is partly filled, behind which there is anything. */
    @Test
    void theStoredCheckpointOfVersionTwoIsRead() throws IOException {
        String tail = IntStream.range(1, 60).mapToObj(Character::toString).collect(Collectors.joining());
        assertThat(load(2, 3L * EXTENT_BYTES))
                .containsExactlyInAnyOrder(
                        "5 0 0 new", "5 1 7 seven" + "\0".repeat(40) + "7", "-1 0 3 outcome" + "\0".repeat(17) + tail);
    }

    /** What checkpoints of version 1 hold is still there after others of the present one, in slots of both. */
    @Test
    void checkpointsGoOnAfterThoseOfVersionOne() throws IOException {
        load(1, EXTENT_BYTES);
        SeededRandom random = new SeededRandom(1);
        CheckpointSettings settings = new CheckpointSettings("c", 4096, 8192, 8192, 16384, EXTENT_BYTES);
        Map<Long, Integer> lengths = new TreeMap<>();
        for (int round = 0; round < 30; round++) {
            try (CheckpointStore store = CheckpointStore.open(storage, settings, random)) {
                Map<Long, Integer> loaded = new TreeMap<>();
                store.load(2, (table, bucket, row, array, offset, length) -> loaded.put(100L * bucket + row, length));
                if (round > 0) {
                    assertThat(loaded).isEqualTo(lengths);
                }
                lengths = loaded;
                RowBatch batch = new RowBatch(1 << 14);
                batch.reset(true);
                long row = round < 10 ? round : 0;
                byte[] image = new byte[1000 + round];
                Arrays.fill(image, (byte) (round + 1));
                batch.add(5, 0, row, image, 0, image.length);
                lengths.put(row, image.length);
                store.partition(2).append(batch);
                store.partition(2).publish(new CheckpointPosition(42 + round, 3, 1001 + round, 6));
                while (store.partition(2).needsReclaim()) {
                    store.partition(2).reclaim();
                }
            }
        }
        assertThat(lengths).hasSize(11).containsEntry(107L, "seven".length());
    }

    private List<String> load(int version, long masterBytes) throws IOException {
        String sample = "checkpoint-v" + version + "-";
        store(sample + "superblock.bin", "c/superblock", 2 * Superblock.SLOT_BYTES, 0, Superblock.SLOT_BYTES);
        store(sample + "clog.bin", CheckpointNames.clog("c", 2, 1), CLOG_BYTES, 0);
        store(sample + "master.bin", CheckpointNames.master("c", 2), masterBytes, 0);
        List<String> rows = new ArrayList<>();
        try (CheckpointStore store =
                CheckpointStore.open(storage, CheckpointSettings.defaults("c"), new SeededRandom(1))) {
            assertThat(store.remarks()).isEmpty();
            assertThat(store.databaseId()).isEqualTo(0x1122334455667788L);
            assertThat(store.positions()).isEqualTo(Map.of(2, new CheckpointPosition(41, 3, 1000, 6)));
            LoadReport report = store.load(
                    2,
                    (table, bucket, row, array, offset, length) -> rows.add(table + " " + bucket + " " + row + " "
                            + new String(array, offset, length, StandardCharsets.UTF_8)));
            assertThat(report.repaired()).singleElement().asString().contains("c/master-2 at offset 128");
        }
        return rows;
    }
}
