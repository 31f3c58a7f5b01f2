package dev.fulmar.reconfig.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.partitioning.HandOff;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PlanTarget;
import dev.fulmar.engine.partitioning.TargetChange;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.random.SeededRandom;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class PeerFormatTest {
    private static final PartitionId SIX = new PartitionId(6);
    private static final List<PeerMessage> MESSAGES = List.of(
            new PeerMessage.Step(1, SIX, new DestinationStep.Stage(-2)),
            new PeerMessage.Step(2, SIX, new DestinationStep.Take(3, new byte[] {1, 2})),
            new PeerMessage.Step(3, SIX, new DestinationStep.Remember(3, new byte[] {9})),
            new PeerMessage.Step(4, SIX, new DestinationStep.Drop(3)),
            new PeerMessage.HandOver(
                    5, new HandOff(7, 0, 1, 5, 11, 13, List.of(new KeyRange(KeySpace.INTEGER, -1, 3)))),
            new PeerMessage.Retarget(6, new TargetChange.Become(5, PlanTarget.State.PAUSED, "full")),
            new PeerMessage.Done(7, 40),
            new PeerMessage.Failed(8, ErrorCode.SERVER_BUSY, "no"),
            new PeerMessage.Forms(10),
            new PeerMessage.Moved(new RangeReport(
                    11, -2, 1, 6, RangeState.HANDING_OVER, 3, 4, 5, List.of(new KeyRange(KeySpace.INTEGER, -1, 3)))),
            new PeerMessage.Progress(new MoveFigures(
                    9, 1, 2, 3, "b", 4, 5, new RangeCounts(8, 10), new Outlook(6, Outlook.UNKNOWN, 7))));

    /**
     * Form 1 of 2026-11-26, for figures form 2 of 2026-11-27, and for reports and the question of forms form 3 of
     * 2026-11-29, which later versions read.
     */
    private static final List<String> SAMPLES = List.of(
            "01010000000000000001" + "00000006" + "fffffffffffffffe",
            "01020000000000000002" + "00000006" + "0000000000000003" + "0102",
            "01030000000000000003" + "00000006" + "0000000000000003" + "09",
            "01040000000000000004" + "00000006" + "0000000000000003",
            "01050000000000000005" + "0201000000" + "0700000000000000" + "00000000" + "01000000" + "05000000"
                    + "0b00000000000000" + "0d00000000000000" + "01000000" + "01" + "ffffffffffffffff"
                    + "0300000000000000",
            "01060000000000000006" + "0102" + "0500000000000000" + "02" + "66756c6c",
            "01070000000000000007" + "0000000000000028",
            "01080000000000000008" + HexFormat.of().toHexDigits(ErrorCode.SERVER_BUSY.number()) + "6e6f",
            "030a000000000000000a",
            "030b000000000000000b" + "fffffffffffffffe" + "00000001" + "00000006" + "00000002" + "0000000000000003"
                    + "0000000000000004" + "0000000000000005" + "00000001" + "01" + "ffffffffffffffff"
                    + "0000000000000003",
            "02090000000000000009" + "0000000000000001" + "0000000000000002" + "0000000000000003" + "0000000000000004"
                    + "0000000000000005" + "0000000000000008" + "000000000000000a" + "0000000000000006"
                    + "ffffffffffffffff"
                    + "0000000000000007" + "62");

    /** Form 1 of figures, of 2026-11-26. */
    private static final String FIGURES_WITHOUT_OUTLOOK = "01090000000000000009" + "0000000000000001"
            + "0000000000000002" + "0000000000000003" + "0000000000000004" + "0000000000000005" + "62";

    private static byte[] bytes(PeerMessage message) {
        ByteBuffer written = PeerFormat.write(message);
        byte[] bytes = new byte[written.remaining()];
        written.get(bytes);
        return bytes;
    }

    @Test
    void storedSamplesAreReadAndWritten() {
        for (int i = 0; i < MESSAGES.size(); i++) {
            byte[] sample = HexFormat.of().parseHex(SAMPLES.get(i));
            assertThat(bytes(MESSAGES.get(i))).isEqualTo(sample);
            PeerMessage read = PeerFormat.read(ByteBuffer.wrap(sample));
            assertThat(read).usingRecursiveComparison().isEqualTo(MESSAGES.get(i));
        }
    }

    /** Of a node of an earlier build, whose reconfigurations this one takes part in. */
    @Test
    void theQuestionOfAnEarlierBuildIsRead() {
        assertThat(PeerFormat.read(ByteBuffer.wrap(HexFormat.of().parseHex("010a000000000000000a"))))
                .isEqualTo(new PeerMessage.Forms(10));
    }

    @Test
    void figuresWithoutAnOutlookAreRead() {
        PeerMessage read = PeerFormat.read(ByteBuffer.wrap(HexFormat.of().parseHex(FIGURES_WITHOUT_OUTLOOK)));
        assertThat(read)
                .isEqualTo(new PeerMessage.Progress(
                        new MoveFigures(9, 1, 2, 3, "b", 4, 5, RangeCounts.NONE, Outlook.NOTHING)));
    }

    @Test
    void whatIsCutOffOrForgedIsRefusedOrAMessage() {
        SeededRandom random = new SeededRandom(1);
        for (PeerMessage message : MESSAGES) {
            byte[] good = bytes(message);
            for (int length = 0; length < 10; length++) {
                ByteBuffer cut = ByteBuffer.wrap(Arrays.copyOf(good, length));
                assertThatThrownBy(() -> PeerFormat.read(cut)).isInstanceOf(FulmarException.class);
            }
            for (int i = 0; i < 1_000; i++) {
                byte[] forged = good.clone();
                forged[random.nextInt(forged.length)] = (byte) random.nextInt(256);
                try {
                    assertThat(PeerFormat.read(ByteBuffer.wrap(forged))).isNotNull();
                } catch (FulmarException refused) {
                    assertThat(refused).hasMessageContaining("a node s");
                }
            }
        }
    }
}
