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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Files of format version 1, which another program made by the tables in docs/CHECKPOINTS.md, can be read for ever. */
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
    void theStoredCheckpointIsRead() throws IOException {
        store("checkpoint-v1-superblock.bin", "c/superblock", 2 * Superblock.SLOT_BYTES, 0, Superblock.SLOT_BYTES);
        store("checkpoint-v1-clog.bin", CheckpointNames.clog("c", 2, 1), CLOG_BYTES, 0);
        store("checkpoint-v1-master.bin", CheckpointNames.master("c", 2), EXTENT_BYTES, 0);
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
        assertThat(rows).containsExactlyInAnyOrder("5 0 0 new", "5 1 7 seven");
    }
}
