package dev.fulmar.coordinator.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.SeededRandom;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicationFormatTest {
    private static final CopyId COPY = new CopyId(new NodeId(3), 4);
    private static final List<ReplicationMessage> MESSAGES = List.of(
            new ReplicationMessage.TermBegun(9, EpochHistory.EMPTY.with(7, 0).with(9, 20), 21),
            new ReplicationMessage.Joined(9, COPY, 20),
            new ReplicationMessage.Group(9, 5, 20, 21, 19),
            new ReplicationMessage.Confirmed(9, COPY, 5, 21),
            new ReplicationMessage.Diverged(9, COPY, 21),
            new ReplicationMessage.Outdated(9),
            new ReplicationMessage.Replaces(9, COPY, 7, 21),
            new ReplicationMessage.Behind(9),
            new ReplicationMessage.AwaitsTerm(9, COPY),
            new ReplicationMessage.ClockWanted(9, COPY, 77),
            new ReplicationMessage.ClockPassed(9, 21, 77));

    private static byte[] bytes(ReplicationMessage message) {
        ByteBuffer out = ByteBuffer.allocate(ReplicationFormat.MAX_BYTES);
        ReplicationFormat.write(message, out);
        byte[] bytes = new byte[out.flip().remaining()];
        out.get(bytes);
        return bytes;
    }

    @Test
    void whatIsWrittenIsRead() {
        for (ReplicationMessage message : MESSAGES) {
            byte[] bytes = Arrays.copyOf(bytes(message), bytes(message).length + 3);
            ByteBuffer in = ByteBuffer.wrap(bytes);
            assertThat(ReplicationFormat.read(in)).isEqualTo(message);
            assertThat(in.remaining()).as("records follow").isEqualTo(3);
        }
    }

    /** Bytes that were stored when the form was made. */
    @Test
    void aCopyOfNoUseSaysSoInBothForms() {
        String copy = "00000003" + "0000000000000004";
        assertThat(HexFormat.of().formatHex(bytes(new ReplicationMessage.Diverged(9, COPY, 21))))
                .isEqualTo("0205" + "0000000000000009" + copy + "0000000000000015");
        byte[] first = HexFormat.of().parseHex("0105" + "0000000000000009" + copy);
        assertThat(ReplicationFormat.read(ByteBuffer.wrap(first)))
                .isEqualTo(new ReplicationMessage.Diverged(9, COPY, 0));
    }

    /** Bytes that were stored when the form was made. */
    @Test
    void readersOfCopiesAskInThisForm() {
        assertThat(HexFormat.of().formatHex(bytes(new ReplicationMessage.ClockWanted(9, COPY, 77))))
                .isEqualTo("010a" + "0000000000000009" + "00000003" + "0000000000000004" + "000000000000004d");
        assertThat(HexFormat.of().formatHex(bytes(new ReplicationMessage.ClockPassed(9, 21, 77))))
                .isEqualTo("010b" + "0000000000000009" + "0000000000000015" + "000000000000004d");
    }

    @Test
    void whatIsCutOffOrForgedIsRefusedOrAMessage() {
        SeededRandom random = new SeededRandom(1);
        for (ReplicationMessage message : MESSAGES) {
            byte[] good = bytes(message);
            for (int length = 0; length < good.length; length++) {
                ByteBuffer cut = ByteBuffer.wrap(Arrays.copyOf(good, length));
                assertThatThrownBy(() -> ReplicationFormat.read(cut)).isInstanceOf(FulmarException.class);
            }
            for (int i = 0; i < 2_000; i++) {
                byte[] forged = good.clone();
                forged[random.nextInt(forged.length)] = (byte) random.nextInt(256);
                try {
                    assertThat(ReplicationFormat.read(ByteBuffer.wrap(forged))).isNotNull();
                } catch (FulmarException refused) {
                    assertThat(refused).hasMessageContaining("a node sen");
                }
            }
        }
    }
}
