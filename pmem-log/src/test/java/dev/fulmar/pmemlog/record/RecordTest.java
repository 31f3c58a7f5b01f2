package dev.fulmar.pmemlog.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.data.LittleEndian;
import dev.fulmar.foundation.random.SeededRandom;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class RecordTest {
    private static final byte[] PAYLOAD = "payment of 12.50".getBytes(StandardCharsets.UTF_8);

    private static byte[] sample() {
        byte[] bytes = new byte[RecordFormat.storedBytes(PAYLOAD.length)];
        int stored = writeSample(bytes, 0, PAYLOAD);
        assertThat(stored).isEqualTo(bytes.length);
        return bytes;
    }

    private static int writeSample(byte[] bytes, int offset, byte[] payload) {
        return new RecordWriter()
                .wrap(bytes, offset, bytes.length - offset, RecordKind.COMMAND)
                .position(7, 0x0102030405060708L, 3)
                .catalogVersion(12)
                .clientHandle(0x1111111111111111L, 0x2222222222222222L)
                .procedureTimeMicros(1_767_225_600_000_000L)
                .commitTimestamp(0x3333333333333333L)
                .digest(0x4444444444444444L)
                .payload(payload, 0, payload.length)
                .finish(payload.length);
    }

    private static void assertIsSample(RecordReader reader) {
        assertThat(reader.kind()).isEqualTo(RecordKind.COMMAND);
        assertThat(reader.stream()).isEqualTo(7);
        assertThat(reader.sequence()).isEqualTo(0x0102030405060708L);
        assertThat(reader.epoch()).isEqualTo(3);
        assertThat(reader.catalogVersion()).isEqualTo(12);
        assertThat(reader.clientId()).isEqualTo(0x1111111111111111L);
        assertThat(reader.requestId()).isEqualTo(0x2222222222222222L);
        assertThat(reader.procedureTimeMicros()).isEqualTo(1_767_225_600_000_000L);
        assertThat(reader.commitTimestamp()).isEqualTo(0x3333333333333333L);
        assertThat(reader.digest()).isEqualTo(0x4444444444444444L);
        assertThat(reader.payload()).isEqualTo(PAYLOAD);
        assertThat(reader.length()).isEqualTo(RecordFormat.HEADER_BYTES + PAYLOAD.length);
    }

    @Test
    void theStoredSampleIsReadAndWrittenTheSame() throws IOException {
        try (InputStream stream = RecordTest.class.getResourceAsStream("record-v1.bin")) {
            byte[] stored = Objects.requireNonNull(stream).readAllBytes();
            RecordReader reader = new RecordReader();
            assertThat(reader.wrap(stored, 0, stored.length)).isEqualTo(RecordCheck.VALID);
            assertIsSample(reader);
            assertThat(sample()).isEqualTo(stored);
        }
    }

    @Test
    void recordsFollowEachOther() {
        byte[] bytes = new byte[400];
        Arrays.fill(bytes, (byte) -1);
        int first = writeSample(bytes, 16, new byte[3]);
        int second = writeSample(bytes, 16 + first, PAYLOAD);
        assertThat(first).isEqualTo(80);
        assertThat(Arrays.copyOfRange(bytes, 16 + 75, 16 + 80)).containsOnly(0);
        RecordReader reader = new RecordReader();
        assertThat(reader.wrap(bytes, 16, first + second)).isEqualTo(RecordCheck.VALID);
        assertThat(reader.payloadBytes()).isEqualTo(3);
        assertThat(reader.wrap(bytes, 16 + reader.storedBytes(), second)).isEqualTo(RecordCheck.VALID);
        assertIsSample(reader);
    }

    @Test
    void whatIsNotSetIsZero() {
        byte[] bytes = new byte[RecordFormat.HEADER_BYTES];
        Arrays.fill(bytes, (byte) -1);
        assertThat(new RecordWriter()
                        .wrap(bytes, 0, bytes.length, RecordKind.SEAL)
                        .finish(0))
                .isEqualTo(72);
        RecordReader reader = new RecordReader();
        assertThat(reader.wrap(bytes, 0, bytes.length)).isEqualTo(RecordCheck.VALID);
        assertThat(reader.kind()).isEqualTo(RecordKind.SEAL);
        assertThat(reader.stream()).isZero();
        assertThat(reader.sequence() | reader.epoch() | reader.catalogVersion() | reader.clientId())
                .isZero();
        assertThat(reader.requestId() | reader.procedureTimeMicros() | reader.commitTimestamp() | reader.digest())
                .isZero();
        assertThat(reader.payload()).isEmpty();
    }

    @Test
    void aWriterStaysWithinWhatWasClaimed() {
        RecordWriter writer = new RecordWriter();
        byte[] bytes = new byte[100];
        assertThatThrownBy(() -> writer.wrap(bytes, 0, 71, RecordKind.VALUES))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> writer.wrap(bytes, 20, 81, RecordKind.VALUES))
                .isInstanceOf(IllegalArgumentException.class);
        writer.wrap(bytes, 20, 76, RecordKind.VALUES);
        assertThat(writer.payloadCapacity()).isEqualTo(4);
        assertThatThrownBy(() -> writer.payload(new byte[5], 0, 5)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> writer.finish(5)).isInstanceOf(IllegalArgumentException.class);
        assertThat(bytes[96]).isZero();
    }

    @Test
    void anyFlippedBitIsSeen() {
        byte[] bytes = sample();
        RecordReader reader = new RecordReader();
        int length = RecordFormat.HEADER_BYTES + PAYLOAD.length;
        for (int bit = 0; bit < length * 8; bit++) {
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(reader.wrap(bytes, 0, bytes.length)).isNotEqualTo(RecordCheck.VALID);
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
        }
        assertThat(reader.wrap(bytes, 0, bytes.length)).isEqualTo(RecordCheck.VALID);
    }

    @Test
    void aRecordThatIsNotWholeIsSeen() {
        byte[] bytes = sample();
        for (int available = 0; available < RecordFormat.HEADER_BYTES + PAYLOAD.length; available++) {
            assertThat(new RecordReader().wrap(bytes, 0, available))
                    .isEqualTo(available < RecordFormat.HEADER_BYTES ? RecordCheck.TOO_SHORT : RecordCheck.BAD_LENGTH);
        }
    }

    @Test
    void whatALaterVersionWroteIsNotGuessedAt() {
        assertThat(checkWith(RecordFormat.VERSION_OFFSET, 2)).isEqualTo(RecordCheck.UNKNOWN_VERSION);
        assertThat(checkWith(RecordFormat.KIND_OFFSET, 0)).isEqualTo(RecordCheck.UNKNOWN_KIND);
        assertThat(checkWith(RecordFormat.KIND_OFFSET, 11)).isEqualTo(RecordCheck.UNKNOWN_KIND);
        assertThat(checkWith(RecordFormat.KIND_OFFSET, -1)).isEqualTo(RecordCheck.UNKNOWN_KIND);
        assertThat(checkWith(RecordFormat.RESERVED_OFFSET, 1)).isEqualTo(RecordCheck.BAD_RESERVED);
    }

    /** Verdict on the sample with the byte changed and the checksum right. */
    private static RecordCheck checkWith(int offset, int value) {
        byte[] bytes = sample();
        bytes[offset] = (byte) value;
        seal(bytes, RecordFormat.HEADER_BYTES + PAYLOAD.length);
        return new RecordReader().wrap(bytes, 0, bytes.length);
    }

    private static void seal(byte[] bytes, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, RecordFormat.CHECKED_OFFSET, length - RecordFormat.CHECKED_OFFSET);
        LittleEndian.putInt(bytes, RecordFormat.CHECKSUM_OFFSET, (int) checksum.getValue());
    }

    @Test
    void anyBytesGetAVerdict() {
        SeededRandom random = new SeededRandom(20);
        RecordReader reader = new RecordReader();
        Set<RecordCheck> seen = EnumSet.noneOf(RecordCheck.class);
        for (int round = 0; round < 200_000; round++) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            if (round % 2 == 0 && bytes.length >= RecordFormat.HEADER_BYTES) {
                plausible(bytes, random);
            }
            RecordCheck check = reader.wrap(bytes, 0, bytes.length);
            seen.add(check);
            if (check == RecordCheck.VALID) {
                assertThat(reader.length()).isLessThanOrEqualTo(bytes.length);
                assertThat(reader.payload()).hasSize(reader.length() - RecordFormat.HEADER_BYTES);
            }
        }
        assertThat(seen).isEqualTo(EnumSet.allOf(RecordCheck.class));
    }

    /** Makes the fields that are looked at first right, so that the later ones are looked at too. */
    private static void plausible(byte[] bytes, SeededRandom random) {
        int length = RecordFormat.HEADER_BYTES + random.nextInt(bytes.length - RecordFormat.HEADER_BYTES + 1);
        LittleEndian.putInt(bytes, RecordFormat.LENGTH_OFFSET, length);
        if (random.nextInt(4) > 0) {
            bytes[RecordFormat.VERSION_OFFSET] = RecordFormat.VERSION;
        }
        if (random.nextInt(4) > 0) {
            bytes[RecordFormat.KIND_OFFSET] = (byte) (1 + random.nextInt(10));
        }
        if (random.nextInt(4) > 0) {
            LittleEndian.putShort(bytes, RecordFormat.RESERVED_OFFSET, 0);
        }
        if (random.nextInt(4) > 0) {
            seal(bytes, length);
        }
    }

    @Test
    void numbersOfKindsStay() {
        assertThat(Arrays.stream(RecordKind.values()).map(kind -> kind.number() + " " + kind))
                .containsExactly(
                        "1 COMMAND",
                        "2 FRAGMENTS",
                        "3 VALUES",
                        "4 PREPARE",
                        "5 DECISION",
                        "6 RECONFIGURATION",
                        "7 CATALOG",
                        "8 EPOCH",
                        "9 SEAL",
                        "10 COPY");
        for (RecordKind kind : RecordKind.values()) {
            assertThat(RecordKind.ofNumber(kind.number())).isEqualTo(kind);
        }
    }
}
