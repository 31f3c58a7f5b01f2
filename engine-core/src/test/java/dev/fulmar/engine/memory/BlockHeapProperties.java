package dev.fulmar.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BlockHeapProperties {
    private static final long LIMIT = 512L << 20;

    private record Block(long address, int bytes, byte mark) {}

    private final MemoryBudget budget = new MemoryBudget(LIMIT, "memory.limit");

    @Test
    void sizeClassesWasteAtMostAnEighth() {
        for (int bytes = 1; bytes <= SizeClass.LARGEST_BYTES; bytes++) {
            int given = SizeClass.bytes(SizeClass.of(bytes));
            boolean fits = given >= bytes && (bytes <= 64 || given - bytes <= given / 8);
            if (!fits) {
                throw new AssertionError(bytes + " bytes get " + given);
            }
        }
    }

    @Test
    void blocksKeepTheirContentAndEverythingIsGivenBack() {
        churn(new ChunkSource(budget));
    }

    @Test
    void theFallbackBehavesTheSame() {
        churn(new ChunkSource(budget, new ArenaPages()));
    }

    private void churn(ChunkSource source) {
        Random random = new Random(7);
        BlockHeap heap = new BlockHeap(source);
        List<Block> live = new ArrayList<>();
        long used = 0;
        for (int step = 0; step < 60_000; step++) {
            boolean grow = (step / 10_000) % 2 == 0;
            if (live.isEmpty() || random.nextInt(10) < (grow ? 7 : 3)) {
                int bytes = randomSize(random);
                Block block = new Block(heap.allocate(bytes), bytes, (byte) step);
                assertThat(block.address() % 8).isZero();
                OffHeap.fill(block.address(), bytes, block.mark());
                used += BlockHeap.usableBytes(bytes);
                live.add(block);
            } else {
                used -= free(heap, live, random.nextInt(live.size()));
            }
            assertThat(heap.usedBytes()).isEqualTo(used);
            assertThat(heap.reservedBytes()).isEqualTo(budget.usedBytes()).isGreaterThanOrEqualTo(used);
        }
        while (!live.isEmpty()) {
            free(heap, live, live.size() - 1);
        }
        assertThat(heap.usedBytes()).isZero();
        heap.trim();
        assertThat(heap.reservedBytes()).isZero();
        assertThat(budget.usedBytes()).isZero();
        heap.close();
    }

    private static int randomSize(Random random) {
        return switch (random.nextInt(200)) {
            case 0 -> 1 + random.nextInt(3 << 20);
            case 1, 2, 3 -> 1 + random.nextInt(400 << 10);
            case 4, 5, 6, 7, 8, 9 -> 1 + random.nextInt(20 << 10);
            default -> 1 + random.nextInt(1200);
        };
    }

    private static long free(BlockHeap heap, List<Block> live, int i) {
        Block block = live.get(i);
        live.set(i, live.getLast());
        live.removeLast();
        assertThat(OffHeap.getByte(block.address())).isEqualTo(block.mark());
        assertThat(OffHeap.getByte(block.address() + block.bytes() - 1)).isEqualTo(block.mark());
        heap.free(block.address(), block.bytes());
        return BlockHeap.usableBytes(block.bytes());
    }

    @Test
    void aHeapWithLittleInItCountsLittle() {
        ChunkSource source = new ChunkSource(budget);
        BlockHeap heap = new BlockHeap(source);
        heap.allocate(100);
        assertThat(budget.usedBytes()).isEqualTo(128 << 10);
        long large = heap.allocate(700 << 10);
        assertThat(budget.usedBytes()).isEqualTo(768 << 10);
        heap.free(large, 700 << 10);
        heap.allocate(300 << 10);
        assertThat(budget.usedBytes()).isEqualTo(768 << 10);
        heap.allocate(1_900 << 10);
        assertThat(budget.usedBytes()).as("a second chunk counts as a whole").isEqualTo((768 << 10) + (2 << 20));
        heap.close();
        assertThat(budget.usedBytes()).isZero();
    }

    @Test
    void theLimitIsMetExactlyAndSaysHowToRaiseIt() {
        MemoryBudget small = new MemoryBudget(4L << 20, "memory.limit");
        BlockHeap heap = new BlockHeap(new ChunkSource(small));
        assertThatThrownBy(() -> {
                    while (true) {
                        heap.allocate(1000);
                    }
                })
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining("memory.limit")
                .extracting(failure -> ((FulmarException) failure).code())
                .isEqualTo(ErrorCode.MEMORY_LIMIT);
        assertThat(small.usedBytes()).isEqualTo(4L << 20);
        assertThat(heap.usedBytes()).isGreaterThan(3_900_000);
        heap.close();
        assertThat(small.usedBytes()).isZero();
    }
}
