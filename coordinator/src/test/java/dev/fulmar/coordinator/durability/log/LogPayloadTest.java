package dev.fulmar.coordinator.durability.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.request.OutcomeBytes;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.engine.durability.ImageBuffer;
import dev.fulmar.engine.partition.RequestOutcome;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes are on disks: they never change under this version of the payload. */
class LogPayloadTest {
    private static final TransactionId TRANSACTION = new TransactionId(0x1122334455667788L, 3);
    private static final String DECISION = "011c" + "8877665544332211" + "03000000" + "02000000" + "05000000"
            + "0b000000" + "01" + "2a00000000000000" + "0708";

    private final ImageBuffer buffer = new ImageBuffer();

    private String written() {
        return HexFormat.of().formatHex(buffer.toByteArray());
    }

    @Test
    void valuesWithoutARequest() {
        LogPayload.begin(buffer, null, 0, false, null);
        buffer.putByte(0x55);
        assertThat(written()).isEqualTo("0100" + "55");
        LogPayload read = LogPayload.read(buffer.array(), 0, buffer.length());
        assertThat(read.begin()).isEqualTo(2);
        assertThat(read.transaction()).isNull();
        assertThat(read.outcome()).isNull();
    }

    @Test
    void aDecisionWithTheAnswerOfItsRequest() {
        byte[] outcome = OutcomeBytes.of(new Committed(Kind.VALUE, 42, new byte[] {7, 8}));
        LogPayload.begin(buffer, TRANSACTION, 2, true, new RequestOutcome(1, 1, 5, outcome));
        assertThat(written()).isEqualTo(DECISION);
    }

    @Test
    void aStoredDecisionIsRead() {
        byte[] stored = HexFormat.of().parseHex(DECISION);
        LogPayload read = LogPayload.read(stored, 0, stored.length);
        assertThat(read.transaction()).isEqualTo(TRANSACTION);
        assertThat(read.attempt()).isEqualTo(2);
        assertThat(read.commit()).isTrue();
        assertThat(read.home()).isEqualTo(5);
        assertThat(read.begin()).isEqualTo(stored.length);
        byte[] outcome = read.outcome();
        assertThat(outcome).isNotNull();
        if (outcome != null) {
            Committed answer = OutcomeBytes.read(outcome);
            assertThat(answer.kind()).isEqualTo(Kind.VALUE);
            assertThat(answer.value()).isEqualTo(42);
            assertThat(answer.results()).containsExactly(7, 8);
        }
        assertThat(LogPayload.readTransaction(stored, 0, stored.length).commit())
                .isTrue();
        assertThat(LogPayload.restOffset(stored, 0)).isEqualTo(stored.length);
    }

    @Test
    void partitionsMakeItVersionTwo() {
        LogPayload.begin(buffer, TRANSACTION, 2, true, null, List.of(new PartitionId(1), new PartitionId(258)));
        buffer.putByte(0x55);
        String stored = "024c" + "8877665544332211" + "03000000" + "02000000" + "02000000" + "01000000" + "02010000";
        assertThat(written()).isEqualTo(stored + "55");
        byte[] bytes = HexFormat.of().parseHex(stored);
        LogPayload read = LogPayload.read(bytes, 0, bytes.length);
        assertThat(read.partitions()).containsExactly(new PartitionId(1), new PartitionId(258));
        assertThat(read.commit()).isTrue();
        assertThat(LogPayload.restOffset(bytes, 0)).isEqualTo(bytes.length);
    }

    @Test
    void settledTransactionsMakeItVersionThree() {
        LogPayload.begin(
                buffer,
                TRANSACTION,
                2,
                true,
                null,
                List.of(new PartitionId(1)),
                List.of(new TransactionId(5, 1), new TransactionId(6, 2)));
        buffer.putByte(0x55);
        String stored = "034c" + "8877665544332211" + "03000000" + "02000000" + "01000000" + "01000000" + "02000000"
                + "0500000000000000" + "01000000" + "0600000000000000" + "02000000";
        assertThat(written()).isEqualTo(stored + "55");
        byte[] bytes = HexFormat.of().parseHex(stored);
        LogPayload read = LogPayload.read(bytes, 0, bytes.length);
        assertThat(read.partitions()).containsExactly(new PartitionId(1));
        assertThat(read.settled()).containsExactly(new TransactionId(5, 1), new TransactionId(6, 2));
        assertThat(read.begin()).isEqualTo(bytes.length);
        assertThat(LogPayload.restOffset(bytes, 0)).isEqualTo(bytes.length);
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        for (byte[] unknown : new byte[][] {{4, 0}, {1, 64}, {2, -128}, {1}}) {
            assertThatThrownBy(() -> LogPayload.read(unknown, 0, unknown.length))
                    .isInstanceOfSatisfying(
                            FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.VERSION_MISMATCH));
        }
        byte[] cut = HexFormat.of().parseHex(DECISION.substring(0, 40));
        assertThatThrownBy(() -> LogPayload.read(cut, 0, cut.length))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION));
    }
}
