package dev.fulmar.foundation.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows and parameters cost no objects. */
class AllocationTest {
    private static final int ROUNDS = 20_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Far less than one object a round, and more than the measuring itself. */
    private static final long TOLERANCE_BYTES = 4_000;

    private long sum;

    private static long allocatedBytes(Runnable work) {
        work.run();
        long before = THREADS.getCurrentThreadAllocatedBytes();
        work.run();
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    void rowsAreWrittenAndReadWithoutAllocation() {
        ResultLayout layout = new ResultLayout(List.of(
                new ResultColumn("id", ColumnType.of(TypeKind.BIGINT), false),
                new ResultColumn("balance", ColumnType.of(TypeKind.DOUBLE), true),
                new ResultColumn("name", ColumnType.varchar(10), true)));
        ResultBlockWriter writer = new ResultBlockWriter(1 << 20, 1 << 22);
        ResultBlock block = new ResultBlock();
        byte[] name = {'f', 'u', 'l'};
        long allocated = allocatedBytes(() -> {
            writer.clear();
            for (int i = 0; i < 10; i++) {
                int start = writer.begin(layout);
                for (int row = 0; row < ROUNDS / 10; row++) {
                    writer.startRow();
                    writer.setLong(0, row);
                    writer.setDouble(1, row);
                    writer.setBytes(2, name, 0, name.length);
                    writer.endRow();
                }
                writer.end();
                block.wrap(writer.array(), start, writer.size() - start);
                while (block.next()) {
                    sum += block.getLong(0)
                            + (long) block.getDouble(1)
                            + block.bytesLength(2)
                            + (block.isNull(1) ? 1 : 0);
                }
                sum += block.at(7).getLong(0) + block.at(3).getLong(0);
            }
        });
        assertThat(allocated).isLessThan(TOLERANCE_BYTES);
        assertThat(sum).isPositive();
    }

    @Test
    void primitiveParametersAreWrittenAndReadWithoutAllocation() {
        ParameterWriter writer = new ParameterWriter(100, 1_000);
        ParameterReader reader = new ParameterReader(10);
        long allocated = allocatedBytes(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                writer.begin().add((long) i).add(0.5).add(true).addDecimal(i, 2).addNull();
                reader.wrap(writer.array(), 0, writer.end());
                sum += reader.getLong(0)
                        + (long) reader.getDouble(1)
                        + reader.decimalLow(3)
                        + (reader.isNull(4) ? 1 : 0);
            }
        });
        assertThat(allocated).isLessThan(TOLERANCE_BYTES);
        assertThat(sum).isPositive();
    }
}
