package dev.fulmar.foundation.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ByteBudgetTest {
    private static final int MEBIBYTE = 1 << 20;

    @Test
    void largeAmountsLeaveAQuarterToSmallOnes() {
        ByteBudget budget = new ByteBudget(8 * MEBIBYTE);
        assertThat(budget.take(6 * MEBIBYTE)).isTrue();
        assertThat(budget.take(ByteBudget.SMALL_BYTES + 1)).isFalse();
        int small = 0;
        while (budget.take(ByteBudget.SMALL_BYTES)) {
            small++;
        }
        assertThat(small).isEqualTo(2 * MEBIBYTE / ByteBudget.SMALL_BYTES);
        assertThat(budget.underWayBytes()).isEqualTo(budget.limitBytes());
        budget.giveBack(8 * MEBIBYTE);
        assertThat(budget.underWayBytes()).isZero();
        assertThat(budget.largestBytes()).isEqualTo(6 * MEBIBYTE);
    }

    @Test
    void whatALeaseDoesNotUseIsNotUnderWayAndDoesNotGrow() {
        ByteBudget budget = new ByteBudget(MEBIBYTE);
        BudgetLease lease = budget.lease();
        int count = 0;
        while (lease.take(1000)) {
            count++;
        }
        assertThat(count).isEqualTo(MEBIBYTE / 1000);
        assertThat(budget.underWayBytes()).isEqualTo(count * 1000L);
        for (int i = 0; i < count; i++) {
            lease.giveBack(1000);
        }
        assertThat(budget.underWayBytes()).isZero();
        assertThat(lease.unusedBytes()).isLessThanOrEqualTo(2 * BudgetLease.PORTION_BYTES);
        assertThat(budget.take(MEBIBYTE - 2 * BudgetLease.PORTION_BYTES - MEBIBYTE / 4))
                .isTrue();
    }

    @Test
    void threadsTakeNoMoreThanThereIs() throws InterruptedException {
        ByteBudget budget = new ByteBudget(800_000);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            BudgetLease lease = budget.lease();
            threads.add(Thread.ofPlatform().start(() -> {
                for (int round = 0; round < 20_000; round++) {
                    if (budget.take(70_000)) {
                        assertThat(budget.underWayBytes()).isLessThanOrEqualTo(800_000);
                        budget.giveBack(70_000);
                    }
                    if (lease.take(100)) {
                        lease.giveBack(100);
                    }
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(budget.underWayBytes()).isZero();
    }

    @Test
    void aWriterTakesWhatItsArrayGrowsByAndGivesItBack() {
        ByteBudget budget = new ByteBudget(MEBIBYTE);
        ResultBlockWriter writer = new ResultBlockWriter(64, 100 * MEBIBYTE, budget);
        ResultLayout layout =
                new ResultLayout(List.of(new ResultColumn("B", new ColumnType(TypeKind.VARBINARY, MEBIBYTE, 0), true)));
        writer.begin(layout);
        byte[] cell = new byte[10_000];
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 1000; i++) {
                        writer.startRow();
                        writer.setBytes(0, cell, 0, cell.length);
                        writer.endRow();
                    }
                })
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining("requests.memory-limit");
        assertThat(writer.hasOverflowed()).isTrue();
        assertThat(budget.underWayBytes()).isEqualTo(writer.array().length).isGreaterThan(ResultBlockWriter.FREE_BYTES);
        assertThat(budget.refused()).isEqualTo(1);
        writer.shrink(ResultBlockWriter.FREE_BYTES);
        assertThat(budget.underWayBytes()).isZero();
    }
}
