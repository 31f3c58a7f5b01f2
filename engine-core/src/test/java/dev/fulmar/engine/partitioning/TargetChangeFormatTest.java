package dev.fulmar.engine.partitioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.HexFormat;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class TargetChangeFormatTest {
    private static final PartitionPlan PLAN = PartitionPlan.ranges(0, 1_000);

    /** Form 1 of 2026-11-26, which later versions read. */
    private static final String WITHOUT_BUDGET = "0101" + "0900000000000000" + "00040000" + "0200000000000000";

    /** Form 2 of 2026-11-27, which later versions read. */
    private static final String WITH_BUDGET =
            "0201" + "0900000000000000" + "00040000" + "0200000000000000" + "14000000";

    /** Form 3 of 2026-11-29, which later versions read. */
    private static final String WITH_BASE =
            "0301" + "0900000000000000" + "00040000" + "0200000000000000" + "00000000" + "8877665544332211";

    /** Form 4 of 2026-11-29, which later versions read. */
    private static final String WITH_PARTS = "0401" + "0900000000000000" + "00040000" + "0200000000000000" + "00000000"
            + "14000000" + "0000001000000000" + "01" + "8877665544332211";

    private static TargetChange begin(MovePace pace) {
        return begin(pace, OptionalLong.empty());
    }

    private static TargetChange begin(MovePace pace, OptionalLong base) {
        return new TargetChange.Begin(new PlanTarget(9, PlanTarget.State.RUNNING, PLAN, pace, ""), base);
    }

    private static String plan() {
        return HexFormat.of().formatHex(PartitionPlanFormat.write(PLAN));
    }

    private static MovePace read(String hex) {
        return read(hex, OptionalLong.empty());
    }

    private static MovePace read(String hex, OptionalLong expected) {
        TargetChange read = TargetChangeFormat.read(HexFormat.of().parseHex(hex));
        if (read instanceof TargetChange.Begin(PlanTarget target, OptionalLong base)) {
            assertThat(base).isEqualTo(expected);
            assertThat(target.number()).isEqualTo(9);
            assertThat(target.plan().hasSameOwners(PLAN)).isTrue();
            return target.pace();
        }
        throw new AssertionError(read);
    }

    @Test
    void beginningsOfBothFormsAreWrittenAndRead() {
        MovePace plain = new MovePace(1_024, 2, MovePace.UNLIMITED);
        assertThat(HexFormat.of().formatHex(TargetChangeFormat.write(begin(plain))))
                .isEqualTo(WITHOUT_BUDGET + plan());
        assertThat(read(WITHOUT_BUDGET + plan())).isEqualTo(plain);
        MovePace limited = new MovePace(1_024, 2, 20);
        assertThat(HexFormat.of().formatHex(TargetChangeFormat.write(begin(limited))))
                .isEqualTo(WITH_BUDGET + plan());
        assertThat(read(WITH_BUDGET + plan())).isEqualTo(limited);
    }

    @Test
    void aBeginningNamesThePlanThatItWasMadeFrom() {
        OptionalLong base = OptionalLong.of(0x1122334455667788L);
        MovePace plain = new MovePace(1_024, 2, MovePace.UNLIMITED);
        assertThat(HexFormat.of().formatHex(TargetChangeFormat.write(begin(plain, base))))
                .isEqualTo(WITH_BASE + plan());
        assertThat(read(WITH_BASE + plan(), base)).isEqualTo(plain);
        MovePace limited = new MovePace(1_024, 2, 20);
        String stored = HexFormat.of().formatHex(TargetChangeFormat.write(begin(limited, base)));
        assertThat(read(stored, base)).isEqualTo(limited);
        String cut = WITH_BASE.substring(0, WITH_BASE.length() - 2);
        assertThatThrownBy(() -> read(cut))
                .isInstanceOf(FulmarException.class)
                .extracting("code")
                .isEqualTo(ErrorCode.CORRUPTION);
    }

    @Test
    void aBeginningTellsTheShareOfASiteAndTheSizeOfParts() {
        OptionalLong base = OptionalLong.of(0x1122334455667788L);
        MovePace divided = new MovePace(1_024, 2, MovePace.UNLIMITED, 20, 1L << 28);
        assertThat(HexFormat.of().formatHex(TargetChangeFormat.write(begin(divided, base))))
                .isEqualTo(WITH_PARTS + plan());
        assertThat(read(WITH_PARTS + plan(), base)).isEqualTo(divided);
        String unbased = HexFormat.of().formatHex(TargetChangeFormat.write(begin(divided)));
        assertThat(read(unbased)).isEqualTo(divided);
        for (String wrong : new String[] {
            WITH_PARTS.replace("0000001000000000", "feffffffffffffff"), WITH_PARTS.replace("14000000", "65000000"),
            WITH_PARTS.replace("14000000", "00000000"), WITH_PARTS.substring(0, WITH_PARTS.length() - 2)
        }) {
            assertThatThrownBy(() -> read(wrong))
                    .isInstanceOf(FulmarException.class)
                    .extracting("code")
                    .isEqualTo(ErrorCode.CORRUPTION);
        }
    }

    @Test
    void aBudgetOutOfBoundsAndALaterFormAreRefused() {
        String tooMuch = WITH_BUDGET.substring(0, WITH_BUDGET.length() - 8) + "ffffff7f";
        assertThatThrownBy(() -> read(tooMuch + plan()))
                .isInstanceOf(FulmarException.class)
                .extracting("code")
                .isEqualTo(ErrorCode.CORRUPTION);
        assertThatThrownBy(() -> read("05" + WITH_BUDGET.substring(2) + plan()))
                .isInstanceOf(FulmarException.class)
                .extracting("code")
                .isEqualTo(ErrorCode.VERSION_MISMATCH);
    }

    @Test
    void aPaceHasBounds() {
        for (int percent : new int[] {-1, 9, 10_001}) {
            assertThatThrownBy(() -> new MovePace(1, 0, percent))
                    .isInstanceOf(FulmarException.class)
                    .hasMessageContaining("10 to 10000 %");
        }
        assertThat(new MovePace(1, 0, 10).isLimited()).isTrue();
        assertThat(MovePace.DEFAULT.isLimited()).isFalse();
        assertThatThrownBy(() -> new MovePace(1, 0, 0, 101, 0)).hasMessageContaining("1 to 100 %");
        assertThatThrownBy(() -> new MovePace(1, 0, 0, 20, -2)).hasMessageContaining("at least one byte");
        assertThatThrownBy(() -> new MovePace(1, 0, 0, 20, 0)).hasMessageContaining("at least one byte");
    }

    @Test
    void aBucketIsTooLargeByItselfOrForItsNode() {
        assertThat(new MovePace(1, 0, 0).isTooLarge(Long.MAX_VALUE, 1)).isFalse();
        assertThat(MovePace.DEFAULT.inParts(MovePace.WHOLE).isTooLarge(Long.MAX_VALUE, 1))
                .isFalse();
        assertThat(MovePace.DEFAULT.inParts(7).isTooLarge(7, 1)).isFalse();
        assertThat(MovePace.DEFAULT.inParts(7).isTooLarge(8, 1_000)).isTrue();
        assertThat(MovePace.DEFAULT.isTooLarge(100, 300)).isFalse();
        assertThat(MovePace.DEFAULT.isTooLarge(101, 300)).isTrue();
    }
}
