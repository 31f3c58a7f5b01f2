package dev.fulmar.engine.partitioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartitionPlanFormatTest {
    /** A plan of the first form: three partitions, of which the last owns nothing, and one integer on its own. */
    private static final String FIRST_FORM = "01" + "03000000"
            + "02000000" + "0000000000000080" + "00000000" + "0000000000000000" + "01000000"
            + "03000000" + "0000000000000080" + "00000000" + "0700000000000000" + "01000000" + "0800000000000000"
            + "00000000";

    private static PartitionPlan plan() {
        return PartitionPlan.of(
                3,
                new KeyRanges(List.of(Long.MIN_VALUE, 0L), List.of(0, 1)),
                new KeyRanges(List.of(Long.MIN_VALUE, 7L, 8L), List.of(0, 1, 0)));
    }

    @Test
    void storedPlansOfTheFirstFormAreRead() {
        PartitionPlan read = PartitionPlanFormat.read(HexFormat.of().parseHex(FIRST_FORM));
        assertThat(read.toString()).isEqualTo(plan().toString());
        assertThat(read.partitionCount()).isEqualTo(3);
        assertThat(read.partitionOf(7)).isEqualTo(1);
        assertThat(read.partitionOf(8)).isZero();
        assertThat(HexFormat.of().formatHex(PartitionPlanFormat.write(plan()))).isEqualTo(FIRST_FORM);
    }

    @Test
    void bytesThatAreNoPlanAreRefused() {
        byte[] good = PartitionPlanFormat.write(plan());
        for (int length = 0; length < good.length; length++) {
            byte[] cut = Arrays.copyOf(good, length);
            assertThatThrownBy(() -> PartitionPlanFormat.read(cut)).hasMessageContaining("cannot be read");
        }
        assertThatThrownBy(() -> PartitionPlanFormat.read(Arrays.copyOf(good, good.length + 1)))
                .hasMessageContaining("cannot be read");
        byte[] falling = good.clone();
        falling[9 + 12 + 7] = (byte) 0x80; // the second range begins where the first does
        assertThatThrownBy(() -> PartitionPlanFormat.read(falling)).hasMessageContaining("cannot be read");
        byte[] later = good.clone();
        later[0] = 2;
        assertThatThrownBy(() -> PartitionPlanFormat.read(later)).hasMessageContaining("start the version that wrote");
    }

    @Test
    void rangesAreChecked() {
        KeyRanges all = new KeyRanges(List.of(Long.MIN_VALUE), List.of(0));
        assertThatThrownBy(() -> PartitionPlan.of(1, new KeyRanges(List.of(5L), List.of(0)), KeyRanges.NONE))
                .hasMessageContaining("begin with the least number");
        assertThatThrownBy(() ->
                        PartitionPlan.of(2, all, new KeyRanges(List.of(Long.MIN_VALUE, 9L, 9L), List.of(0, 1, 0))))
                .hasMessageContaining("9 follows 9");
        assertThatThrownBy(() -> PartitionPlan.of(2, all, new KeyRanges(List.of(Long.MIN_VALUE, 9L), List.of(0, 2))))
                .hasMessageContaining("gives the range from 9 on to partition 2");
    }
}
