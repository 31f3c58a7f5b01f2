package dev.fulmar.coordinator.membership.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fulmar.coordinator.membership.AssignmentRecord;
import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.NodeRecord;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.Presence;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.StateRecord;
import dev.fulmar.coordinator.membership.VersionRecord;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.SeededRandom;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class RecordFormatTest {
    private static final CopyId FIRST = new CopyId(new NodeId(1), 1);
    private static final CopyId SECOND = new CopyId(new NodeId(2), 7);
    private static final StateKey.Partition PARTITION = new StateKey.Partition(new PartitionId(3));

    private record Sample<R extends StateRecord>(StateKey<R> key, R value, String storedByVersion1) {
        byte[] encoded() {
            return RecordFormat.encode(key, value);
        }
    }

    private static final List<Sample<?>> SAMPLES = List.of(
            new Sample<>(
                    new StateKey.Cluster(),
                    new ClusterRecord(new UUID(0x0123456789abcdefL, 0x8899aabbccddeeffL), "orders", 8, 2, 1),
                    "465301010123456789abcdef8899aabbccddeeff00066f72646572730000000800000002000000014db976f6"),
            new Sample<>(
                    new StateKey.Node(new NodeId(2)),
                    new NodeRecord(5, NodeRecord.Standing.LEAVING, "db2.example:7400"),
                    "4653010200000000000000050200106462322e6578616d706c653a373430308757047a"),
            new Sample<>(
                    new StateKey.Catalog(),
                    new VersionRecord(12, -2),
                    "46530103000000000000000cfffffffffffffffee1479910"),
            new Sample<>(
                    new StateKey.Plan(), new VersionRecord(1, 99), "4653010400000000000000010000000000000063ad250648"),
            new Sample<>(
                    new StateKey.Assignment(0),
                    new AssignmentRecord(List.of(List.of(new NodeId(1), new NodeId(2)), List.of(new NodeId(3)))),
                    "4653010702020000000100000002010000000308a40abb"),
            new Sample<>(
                    PARTITION,
                    new PartitionRecord(9, SECOND, 8, List.of(FIRST, SECOND)),
                    "465301050000000000000009000000020000000000000007000000000000000802000000010000000000000001000000020000000000000007186d9f8a"));

    private static final String STORED_WITH_SPARES =
            "465302010123456789abcdef8899aabbccddeeff00066f72646572730000000800000002000000010000000305fb76e4";

    @Test
    void whatIsWrittenIsRead() {
        for (Sample<?> sample : SAMPLES) {
            assertThat(RecordFormat.decode(sample.key(), sample.encoded())).isEqualTo(sample.value());
        }
        Presence presence = new Presence(new NodeId(4), 3, "127.0.0.1:7400");
        assertThat(RecordFormat.decodePresence(new NodeId(4), RecordFormat.encode(presence)))
                .isEqualTo(presence);
    }

    @Test
    void whatVersion1StoredIsRead() {
        for (Sample<?> sample : SAMPLES) {
            assertThat(HexFormat.of().formatHex(sample.encoded())).isEqualTo(sample.storedByVersion1());
            byte[] stored = HexFormat.of().parseHex(sample.storedByVersion1());
            assertThat(RecordFormat.decode(sample.key(), stored)).isEqualTo(sample.value());
        }
    }

    /** Written by the first version that knew spare partitions. */
    @Test
    void aClusterWithSparePartitionsHasForm2() {
        ClusterRecord cluster =
                new ClusterRecord(new UUID(0x0123456789abcdefL, 0x8899aabbccddeeffL), "orders", 8, 2, 1, 3);
        byte[] stored = HexFormat.of().parseHex(STORED_WITH_SPARES);
        assertThat(HexFormat.of().formatHex(RecordFormat.encode(new StateKey.Cluster(), cluster)))
                .isEqualTo(STORED_WITH_SPARES);
        assertThat(RecordFormat.decode(new StateKey.Cluster(), stored)).isEqualTo(cluster);
        for (int length = 0; length < stored.length; length++) {
            assertRefused(new StateKey.Cluster(), Arrays.copyOf(stored, length));
        }
        stored[stored.length - 5] = 0;
        assertThatThrownBy(() -> RecordFormat.decode(new StateKey.Cluster(), withChecksum(stored)))
                .hasMessageContaining("no spare partitions");
    }

    @Test
    void everyFlippedBitAndEveryTruncationIsNoticed() {
        for (Sample<?> sample : SAMPLES) {
            byte[] good = sample.encoded();
            for (int bit = 0; bit < good.length * Byte.SIZE; bit++) {
                byte[] bad = good.clone();
                bad[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
                assertRefused(sample.key(), bad);
            }
            for (int length = 0; length < good.length; length++) {
                assertRefused(sample.key(), Arrays.copyOf(good, length));
            }
            assertRefused(sample.key(), Arrays.copyOf(good, good.length + 1));
        }
    }

    @Test
    void recordsThatSomebodyForgedGiveAValueOrAreRefused() {
        SeededRandom random = new SeededRandom(42);
        for (Sample<?> sample : SAMPLES) {
            byte[] good = sample.encoded();
            for (int i = 0; i < 2_000; i++) {
                byte[] forged = Arrays.copyOf(good, good.length + random.nextInt(8) - 4);
                for (int changes = random.nextInt(4); changes >= 0; changes--) {
                    forged[4 + random.nextInt(forged.length - 4)] = (byte) random.nextInt(256);
                }
                decodeOrRefuse(sample.key(), withChecksum(forged));
            }
        }
    }

    private static void decodeOrRefuse(StateKey<?> key, byte[] bytes) {
        try {
            RecordFormat.decode(key, bytes);
        } catch (FulmarException refused) {
            assertThat(refused.code()).isIn(ErrorCode.CORRUPTION, ErrorCode.VERSION_MISMATCH);
        }
    }

    @Test
    void aRecordOfAnotherKindIsRefusedAlsoWhereItsFieldsAreTheSame() {
        assertThatThrownBy(() -> RecordFormat.decode(
                        new StateKey.Plan(), RecordFormat.encode(new StateKey.Catalog(), new VersionRecord(1, 1))))
                .hasMessageContaining("another kind");
    }

    @Test
    void aLaterFormIsRefusedWithTheWayOut() {
        byte[] later = RecordFormat.encode(new StateKey.Catalog(), new VersionRecord(1, 1));
        later[2] = 2;
        FulmarException refused = catchThrowableOfType(
                FulmarException.class, () -> RecordFormat.decode(new StateKey.Catalog(), withChecksum(later)));
        assertThat(refused.code()).isEqualTo(ErrorCode.VERSION_MISMATCH);
        assertThat(refused).hasMessageContaining("start the version");
    }

    @Test
    void whatIsTooLargeIsRefused() {
        assertRefused(PARTITION, new byte[RecordFormat.MAX_BYTES + 1]);
    }

    @Test
    void theLargestRecordFits() {
        List<CopyId> copies = new ArrayList<>();
        for (int i = 0; i < ClusterRecord.MAX_COPIES; i++) {
            copies.add(new CopyId(new NodeId(i), Long.MAX_VALUE));
        }
        PartitionRecord largest =
                new PartitionRecord(Long.MAX_VALUE, copies.getFirst(), Long.MAX_VALUE, List.copyOf(copies));
        assertThat(RecordFormat.decode(PARTITION, RecordFormat.encode(PARTITION, largest)))
                .isEqualTo(largest);
        NodeRecord node = new NodeRecord(1, NodeRecord.Standing.MEMBER, "x".repeat(NodeRecord.MAX_ADDRESS_LENGTH));
        StateKey.Node key = new StateKey.Node(new NodeId(1));
        assertThat(RecordFormat.decode(key, RecordFormat.encode(key, node))).isEqualTo(node);
    }

    private static void assertRefused(StateKey<?> key, byte[] bytes) {
        FulmarException refused = catchThrowableOfType(FulmarException.class, () -> RecordFormat.decode(key, bytes));
        assertThat(refused).isNotNull().hasMessageContaining("cluster's state holds");
    }

    private static byte[] withChecksum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, bytes.length - Integer.BYTES);
        ByteBuffer.wrap(bytes).putInt(bytes.length - Integer.BYTES, (int) crc.getValue());
        return bytes;
    }
}
