package dev.fulmar.engine.execution.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ScratchMemoryTest {
    private record Piece(long positionBefore, long address, int bytes, byte content) {}

    /** Pieces that were handed out and not taken back keep their content, whatever comes and goes above them. */
    @Test
    void whatIsNotTakenBackStays() {
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            ScratchMemory memory = new ScratchMemory(1 << 26);
            Deque<Piece> pieces = new ArrayDeque<>();
            for (int i = 0; i < 3000; i++) {
                if (random.nextInt(3) > 0 || pieces.isEmpty()) {
                    int bytes = random.nextInt(random.nextInt(20) == 0 ? 100_000 : 300);
                    long position = memory.position();
                    Piece piece = new Piece(position, memory.allocate(bytes), bytes, (byte) random.nextInt());
                    OffHeap.fill(piece.address(), bytes, piece.content());
                    pieces.push(piece);
                } else {
                    for (int n = random.nextInt(Math.min(40, pieces.size())); n >= 0; n--) {
                        Piece piece = pieces.pop();
                        for (int at = 0; at < piece.bytes(); at += 7) {
                            assertThat(OffHeap.getByte(piece.address() + at)).isEqualTo(piece.content());
                        }
                        memory.reset(piece.positionBefore());
                    }
                }
            }
        }
    }

    @Test
    void theLimitIsExact() {
        ScratchMemory memory = new ScratchMemory(100_000);
        memory.allocate(60_000);
        assertThatThrownBy(() -> memory.allocate(60_000))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STATEMENT_TOO_COMPLEX));
        memory.clear();
        memory.allocate(60_000);
        assertThat(memory.allocatedBytes()).isLessThanOrEqualTo(100_000);
    }

    @Test
    void aLargeUseIsGivenBackToTheSystem() {
        ScratchMemory memory = new ScratchMemory(1 << 28);
        long first = memory.allocate(100);
        for (int i = 0; i < 100; i++) {
            memory.allocate(1 << 20);
        }
        memory.clear();
        assertThat(memory.allocatedBytes()).isZero();
        assertThat(memory.allocate(100)).isNotZero();
        assertThat(first).isNotZero();
    }
}
