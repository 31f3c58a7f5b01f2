package dev.fulmar.coordinator.durability.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.change.CatalogEntry;
import dev.fulmar.coordinator.durability.catalog.CatalogImage;
import dev.fulmar.coordinator.durability.ddl.ChangeFormat.Attempt;
import dev.fulmar.coordinator.durability.ddl.ChangeFormat.Message;
import dev.fulmar.coordinator.durability.log.CatalogRecord;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.SeededRandom;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChangeFormatTest {
    private static final Attempt ATTEMPT = new Attempt(3, 4);

    /** Of another term: whoever leads the catalog next may have it in its log. */
    @Test
    void onlyOfItsOwnMakerALaterAttemptSaysThatAnEarlierOneCameToNothing() {
        assertThat(ATTEMPT.isEarlierInTerm(new Attempt(3, 5))).isTrue();
        assertThat(ATTEMPT.isEarlierInTerm(new Attempt(3, 4))).isFalse();
        assertThat(ATTEMPT.isEarlierInTerm(new Attempt(3, 3))).isFalse();
        assertThat(ATTEMPT.isEarlierInTerm(new Attempt(4, 5))).isFalse();
        assertThat(ATTEMPT.isEarlierInTerm(new Attempt(2, 5))).isFalse();
    }

    private static final byte[] KEPT = CatalogRecord.of(7, new CatalogEntry.Statement("DROP TABLE T"));
    private static final List<Message> MESSAGES = List.of(
            new Message.Announce(ATTEMPT, KEPT),
            new Message.Announced(ATTEMPT),
            new Message.Prepare(ATTEMPT),
            new Message.Ready(ATTEMPT, List.of(new PartitionId(1), new PartitionId(5)), 0),
            new Message.Failed(ATTEMPT, ErrorCode.UNIQUE_VIOLATION, "no"),
            new Message.Abort(ATTEMPT, 5),
            new Message.ResolveRequest(ATTEMPT, 7),
            new Message.TermBegun(new PartitionId(2), 9),
            new Message.Decided(new PartitionId(2), 9, 7),
            new Message.StatusQuery(ATTEMPT, 7, 5, 12),
            new Message.Ready(ATTEMPT, List.of(new PartitionId(1)), 9));

    /** As version 1 wrote them. */
    private static final List<String> SAMPLES = List.of(
            "010100000000000000030000000000000004070000000144524f50205441424c452054",
            "010200000000000000030000000000000004",
            "010300000000000000030000000000000004",
            "010400000000000000030000000000000004000000020000000100000005",
            "010500000000000000030000000000000004" + number(ErrorCode.UNIQUE_VIOLATION) + "6e6f",
            "0106000000000000000300000000000000040000000000000005",
            "0107000000000000000300000000000000040000000000000007",
            "010800000000000000090000000000000002",
            "0109000000000000000900000000000000020000000000000007",
            "010a00000000000000030000000000000004" + "0000000000000007" + "0000000000000005" + "000000000000000c",
            "010b00000000000000030000000000000004" + "0000000000000009" + "0000000100000001");

    private static String number(ErrorCode code) {
        return HexFormat.of().toHexDigits(code.number());
    }

    private static byte[] bytes(Message message) {
        ByteBuffer written = ChangeFormat.write(message);
        byte[] bytes = new byte[written.remaining()];
        written.get(bytes);
        return bytes;
    }

    @Test
    void storedSamplesAreReadAndWritten() {
        for (int i = 0; i < MESSAGES.size(); i++) {
            byte[] sample = HexFormat.of().parseHex(SAMPLES.get(i));
            assertThat(bytes(MESSAGES.get(i))).isEqualTo(sample);
            assertThat(bytes(ChangeFormat.read(ByteBuffer.wrap(sample)))).isEqualTo(sample);
        }
    }

    @Test
    void whatIsCutOffOrForgedIsRefusedOrAMessage() {
        SeededRandom random = new SeededRandom(1);
        for (Message message : MESSAGES) {
            byte[] good = bytes(message);
            for (int length = 0; length < 18; length++) {
                ByteBuffer cut = ByteBuffer.wrap(Arrays.copyOf(good, length));
                assertThatThrownBy(() -> ChangeFormat.read(cut)).isInstanceOf(FulmarException.class);
            }
            for (int i = 0; i < 1_000; i++) {
                byte[] forged = good.clone();
                forged[random.nextInt(forged.length)] = (byte) random.nextInt(256);
                try {
                    assertThat(ChangeFormat.read(ByteBuffer.wrap(forged))).isNotNull();
                } catch (FulmarException refused) {
                    assertThat(refused).hasMessageContaining("a node s");
                }
            }
        }
    }

    /** An image of the catalog, as version 1 wrote it, in a COPY record or on its way to another node. */
    @Test
    void aStoredImageOfTheCatalogIsReadAndWritten() {
        byte[] sample =
                HexFormat.of().parseHex("01090000000000000001000000110000000700000001" + "44524f50205441424c452054");
        CatalogImage image = CatalogImage.read(sample);
        assertThat(image.timestamp()).isEqualTo(9);
        assertThat(image.changes()).containsExactly(KEPT);
        assertThat(image.bytes()).isEqualTo(sample);
        for (int length = 0; length < sample.length; length++) {
            byte[] cut = Arrays.copyOf(sample, length);
            assertThatThrownBy(() -> CatalogImage.read(cut)).isInstanceOf(FulmarException.class);
        }
    }
}
