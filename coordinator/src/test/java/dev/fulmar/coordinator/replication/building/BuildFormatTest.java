package dev.fulmar.coordinator.replication.building;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.replication.EpochHistory;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.pmemlog.checkpoint.RowBatch;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class BuildFormatTest {
    private static final PartitionId PARTITION = new PartitionId(5);
    private static final CopyId COPY = new CopyId(new NodeId(3), 4);
    private static final CopyOrigin ORIGIN =
            new CopyOrigin(20, 1_000_000, 7, 9, EpochHistory.EMPTY.with(7, 0).with(9, 20));

    /** Each message, and its bytes in version 1: these must be read for ever. */
    private static final List<BuildMessage> MESSAGES = List.of(
            new BuildMessage.Begin(PARTITION, COPY),
            new BuildMessage.Pull(PARTITION, COPY, 17, 3, true),
            new BuildMessage.End(PARTITION, COPY),
            new BuildMessage.Begun(PARTITION, COPY, ORIGIN),
            new BuildMessage.Chunk(PARTITION, COPY, 16, true),
            new BuildMessage.Refused(PARTITION, COPY, CopySource.Refusal.OVERTAKEN));

    private static final List<String> VERSION_1 = List.of(
            "010100000005000000030000000000000004",
            "01020000000500000003000000000000000400000000000000110301",
            "010300000005000000030000000000000004",
            "010400000005000000030000000000000004000000000000001400000000000f424000000007"
                    + "0000000000000009000000020000000000000007000000000000000000000000000000090000000000000014",
            "010500000005000000030000000000000004000000000000001001",
            "01060000000500000003000000000000000403");

    private static final String CHUNK_VERSION_1 = "01000000f87b4d3d00000002"
            + "ffffffff00000000000000000000000700000003616263"
            + "00000004000000010000000000000009000000026465";

    private static byte[] chunk() {
        RowBatch batch = new RowBatch(1000);
        batch.add(-1, 0, 7, "abc".getBytes(StandardCharsets.UTF_8), 0, 3);
        batch.add(4, 1, 9, "xdex".getBytes(StandardCharsets.UTF_8), 1, 2);
        return ChunkFormat.write(batch);
    }

    private static byte[] bytes(BuildMessage message) {
        ByteBuffer out = BuildFormat.bytes(message);
        byte[] bytes = new byte[out.remaining()];
        out.get(bytes);
        return bytes;
    }

    @Test
    void storedSamplesAreReadAndWritten() {
        for (int i = 0; i < MESSAGES.size(); i++) {
            byte[] sample = HexFormat.of().parseHex(VERSION_1.get(i));
            assertThat(BuildFormat.read(ByteBuffer.wrap(sample))).isEqualTo(MESSAGES.get(i));
            assertThat(HexFormat.of().formatHex(bytes(MESSAGES.get(i)))).isEqualTo(VERSION_1.get(i));
        }
        assertThat(HexFormat.of().formatHex(chunk())).isEqualTo(CHUNK_VERSION_1);
    }

    @Test
    void rowsOfAChunkAreRead() {
        List<String> rows = new ArrayList<>();
        ChunkFormat.read(
                chunk(),
                (table, bucket, row, array, offset, length) -> rows.add(table + " " + bucket + " " + row + " "
                        + new String(array, offset, length, StandardCharsets.UTF_8)));
        assertThat(rows).containsExactly("-1 0 7 abc", "4 1 9 de");
    }

    @Test
    void aChunkWithAWrongByteGivesNoRow() {
        byte[] good = chunk();
        for (int place = 0; place < good.length; place++) {
            if (place >= 1 && place < 4) {
                continue; // means nothing
            }
            byte[] forged = good.clone();
            forged[place] ^= 4;
            refused(forged);
            refused(Arrays.copyOf(good, place));
        }
        refused(Arrays.copyOf(good, good.length + 1));
    }

    @Test
    void aChunkWithAForgedLengthAndRightChecksumGivesNoRow() {
        for (int length : new int[] {-1, 4, 2_000_000_000, Integer.MIN_VALUE}) {
            byte[] forged = chunk();
            ByteBuffer.wrap(forged).putInt(ChunkFormat.HEADER_BYTES + 16, length);
            CRC32C checksum = new CRC32C();
            checksum.update(forged, 8, forged.length - 8);
            ByteBuffer.wrap(forged).putInt(4, (int) checksum.getValue());
            refused(forged);
        }
    }

    private static void refused(byte[] chunk) {
        List<Integer> rows = new ArrayList<>();
        assertThatThrownBy(
                        () -> ChunkFormat.read(chunk, (table, bucket, row, array, offset, length) -> rows.add(table)))
                .isInstanceOf(FulmarException.class);
        assertThat(rows).isEmpty();
    }

    @Test
    void whatIsCutOffOrForgedIsRefusedOrAMessage() {
        SeededRandom random = new SeededRandom(1);
        for (BuildMessage message : MESSAGES) {
            byte[] good = bytes(message);
            for (int length = 0; length < good.length; length++) {
                ByteBuffer cut = ByteBuffer.wrap(Arrays.copyOf(good, length));
                assertThatThrownBy(() -> BuildFormat.read(cut)).isInstanceOf(FulmarException.class);
            }
            for (int i = 0; i < 2_000; i++) {
                byte[] forged = good.clone();
                forged[random.nextInt(forged.length)] = (byte) random.nextInt(256);
                try {
                    assertThat(BuildFormat.read(ByteBuffer.wrap(forged))).isNotNull();
                } catch (FulmarException refused) {
                    assertThat(refused).hasMessageContaining("a node sen");
                }
            }
        }
    }

    @Test
    void livesOfAProcessAreAboveThoseOfEarlierOnes() {
        NodeId node = new NodeId(1);
        CopyId first = ReplicaGenerations.next(node, 3, 0);
        CopyId second = ReplicaGenerations.next(node, 3, first.life());
        CopyId later = ReplicaGenerations.next(node, 4, second.life());
        assertThat(List.of(later, second, first)).isSortedAccordingTo((a, b) -> b.compareTo(a));
        assertThat(ReplicaGenerations.next(node, 5, 0)).isGreaterThan(later);
    }
}
