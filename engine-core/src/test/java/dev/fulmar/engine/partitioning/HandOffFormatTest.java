package dev.fulmar.engine.partitioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandOffFormatTest {
    private static final PartitionPlan PLAN = PartitionPlan.ranges(0, 1_000);
    private static final List<HandOff> HAND_OFFS = List.of(
            new HandOff(
                    7,
                    0,
                    1,
                    5,
                    11,
                    13,
                    List.of(new KeyRange(KeySpace.INTEGER, -1, 3), new KeyRange(KeySpace.HASH, 4, 4))),
            new HandOff(-8, 1, 0, 2, 0, 0, List.of()));

    /** Form 1 of 2026-11-26, which later versions read. */
    private static final String STORED =
            "010200000007000000000000000000000001000000050000000b000000000000000d00000000000000020000"
                    + "0001ffffffffffffffff03000000000000000004000000000000000400000000000000f8ffffffffffffff01"
                    + "0000000000000002000000000000000000000000000000000000000000000001020000000200000000000000"
                    + "000000800000000000000000000000000100000002000000000000000000008000000000e803000000000000"
                    + "01000000";

    @Test
    void handOffsOfTheFirstFormAreRead() {
        byte[] written = HandOffFormat.write(PLAN, HAND_OFFS);
        assertThat(HexFormat.of().formatHex(written)).isEqualTo(STORED);
        byte[] stored = HexFormat.of().parseHex(STORED);
        assertThat(HandOffFormat.handOffsWithPlan(stored)).isEqualTo(HAND_OFFS);
        assertThat(HandOffFormat.plan(stored).integers()).isEqualTo(PLAN.integers());
        assertThat(HandOffFormat.plan(stored).hashes()).isEqualTo(PLAN.hashes());
    }

    @Test
    void handOffsOfTheSecondFormAreReadWithoutAPlan() {
        byte[] written = HandOffFormat.write(HAND_OFFS);
        String same = STORED.substring(2, 2 * written.length);
        assertThat(HexFormat.of().formatHex(written)).isEqualTo("02" + same);
        assertThat(HandOffFormat.handOffs(written)).isEqualTo(HAND_OFFS);
        assertThatThrownBy(() -> HandOffFormat.handOffs(Arrays.copyOf(written, written.length + 1)))
                .isInstanceOf(FulmarException.class);
        assertThatThrownBy(() -> HandOffFormat.handOffs(HexFormat.of().parseHex(STORED)))
                .isInstanceOf(FulmarException.class);
    }

    @Test
    void otherBytesAreRefused() {
        byte[] good = HandOffFormat.write(PLAN, HAND_OFFS);
        for (int length = 1; length < good.length; length++) {
            refused(ErrorCode.CORRUPTION, Arrays.copyOf(good, length));
        }
        byte[] later = good.clone();
        later[0] = 3;
        refused(ErrorCode.VERSION_MISMATCH, later);
        byte[] many = good.clone();
        Arrays.fill(many, 1, 5, (byte) 0xFF);
        refused(ErrorCode.CORRUPTION, many);
    }

    private static void refused(ErrorCode code, byte[] bytes) {
        assertThatThrownBy(() -> HandOffFormat.plan(bytes))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
