package dev.fulmar.reconfig.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class MoveStepFormatTest {
    private static final MoveStep CUT = new MoveStep.Cut(3, KeySpace.INTEGER, -9, 17);
    private static final MoveStep STAGE = new MoveStep.Stage(0x1122334455667788L, 5);
    private static final MoveStep TAKE = new MoveStep.Take(7, new byte[] {1, 2, 3});
    private static final MoveStep DROP = new MoveStep.Drop(-1);
    private static final MoveStep REMEMBER = new MoveStep.Remember(new byte[] {9, 8, 7});

    private static final MoveStep SEPARATE = new MoveStep.Separate(
            3,
            List.of(new KeyRange(KeySpace.HASH, -9, -9), new KeyRange(KeySpace.INTEGER, 1, Long.MAX_VALUE - 1)),
            9,
            true);

    /** Form 1 of 2026-11-26, which later versions read. */
    private static final List<String> STORED = List.of(
            "01010300000001f7ffffffffffffff11000000",
            "0102887766554433221105000000",
            "01030700000000000000010203",
            "0104ffffffffffffffff",
            "0105090807",
            "0106030000000900000001"
                    + "02000000"
                    + "00f7fffffffffffffff7ffffffffffffff"
                    + "010100000000000000feffffffffffff7f");

    @Test
    void stepsOfTheFirstFormAreRead() {
        List<MoveStep> steps = List.of(CUT, STAGE, TAKE, DROP, REMEMBER, SEPARATE);
        for (int i = 0; i < steps.size(); i++) {
            byte[] stored = HexFormat.of().parseHex(STORED.get(i));
            assertThat(MoveStepFormat.write(steps.get(i))).isEqualTo(stored);
            assertThat(MoveStepFormat.read(stored)).usingRecursiveComparison().isEqualTo(steps.get(i));
        }
    }

    @Test
    void otherBytesAreRefused() {
        refused(ErrorCode.VERSION_MISMATCH, 2, 1, 0, 0);
        refused(ErrorCode.VERSION_MISMATCH, 1, 9, 0, 0);
        refused(ErrorCode.CORRUPTION);
        refused(ErrorCode.CORRUPTION, 1);
        for (MoveStep step : List.of(CUT, STAGE, DROP, SEPARATE)) {
            byte[] good = MoveStepFormat.write(step);
            for (int length = 2; length < good.length; length++) {
                refused(ErrorCode.CORRUPTION, Arrays.copyOf(good, length));
            }
            refused(ErrorCode.CORRUPTION, Arrays.copyOf(good, good.length + 1));
        }
        refused(ErrorCode.CORRUPTION, Arrays.copyOf(MoveStepFormat.write(TAKE), 9));
    }

    private static void refused(ErrorCode code, int... bytes) {
        byte[] all = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            all[i] = (byte) bytes[i];
        }
        refused(code, all);
    }

    private static void refused(ErrorCode code, byte[] bytes) {
        assertThatThrownBy(() -> MoveStepFormat.read(bytes))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
