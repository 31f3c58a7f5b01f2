package dev.fulmar.engine.execution.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import org.junit.jupiter.api.Test;

/** Rows that take no memory of their own are limited all the same, for the list of them is on the heap. */
class AddressListTest {
    @Test
    void takesAsManyRowsAsTheirMemoryMayHold() {
        AddressList rows = new AddressList(new ScratchMemory(3_200));
        for (long i = 0; i < 200; i++) {
            rows.add(i);
        }
        assertThatThrownBy(() -> rows.add(200)).isInstanceOfSatisfying(FulmarException.class, e -> {
            assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_TOO_COMPLEX);
            assertThat(e).hasMessageContaining("200 rows").hasMessageContaining("requests.intermediate-limit");
        });
        assertThat(rows.size()).isEqualTo(200);
        assertThat(rows.get(199)).isEqualTo(199);
        rows.clear();
        rows.add(7);
        assertThat(rows.get(0)).isEqualTo(7);
    }

    @Test
    void aLargeListGoesWithTheMemoryOfItsRows() {
        ScratchMemory memory = new ScratchMemory(100 << 20);
        AddressList rows = new AddressList(memory);
        KeyTable keys = new KeyTable(memory);
        for (long i = 0; i < 200_000; i++) {
            long address = memory.allocate(Long.BYTES);
            OffHeap.putLong(address, i);
            keys.findOrInsert(address, Long.BYTES);
            rows.add(address);
        }
        assertThat(rows.array()).hasSizeGreaterThan(200_000);
        memory.shrink();
        assertThat(rows.array()).hasSize(64);
        assertThat(rows.size()).isZero();
        assertThat(keys.count()).isZero();
        assertThat(memory.allocatedBytes()).isZero();
    }

    @Test
    void aSmallListIsKeptAndALargeOneGivenBack() {
        AddressList rows = new AddressList();
        for (long i = 0; i < 1_000; i++) {
            rows.add(i);
        }
        rows.shrink();
        assertThat(rows.array()).hasSizeGreaterThanOrEqualTo(1_000);
        for (long i = 0; i < 200_000; i++) {
            rows.add(i);
        }
        rows.shrink();
        assertThat(rows.array()).hasSize(64);
        assertThat(rows.size()).isZero();
    }
}
