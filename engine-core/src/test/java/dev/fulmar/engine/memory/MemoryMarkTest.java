package dev.fulmar.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import org.junit.jupiter.api.Test;

class MemoryMarkTest {
    private static final long CHUNK = ChunkSource.CHUNK_BYTES;

    private final MemoryBudget budget = new MemoryBudget(4 * CHUNK, "limit", 3 * CHUNK, "mark");
    private final ChunkSource shared = new ChunkSource(budget).share();

    @Test
    void whatAddsRowsEndsAtTheMarkAndTheRestAtTheLimit() {
        shared.holdToMark(true);
        long[] chunks = new long[4];
        for (int i = 0; i < 3; i++) {
            chunks[i] = shared.map(CHUNK, false);
        }
        assertThatThrownBy(() -> shared.map(CHUNK, false))
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.MEMORY_LIMIT))
                .hasMessageContaining("deletes and reads go on")
                .hasMessageContaining("limit")
                .hasMessageContaining("mark");
        assertThat(budget.usedBytes()).isEqualTo(3 * CHUNK);

        shared.holdToMark(false);
        chunks[3] = shared.map(CHUNK, false);
        assertThatThrownBy(() -> shared.map(CHUNK, false)).hasMessageContaining("but the limit is");

        for (long chunk : chunks) {
            shared.unmap(chunk, CHUNK);
        }
        shared.holdToMark(true);
        shared.unmap(shared.map(CHUNK, false), CHUNK);
    }

    @Test
    void whatIsHeldToTheMarkIsTheMatterOfOneSource() {
        ChunkSource other = shared.share();
        shared.holdToMark(true);
        long most = other.map(4 * CHUNK, false);
        assertThatThrownBy(() -> shared.map(CHUNK, false)).hasMessageContaining("but the limit is");
        other.unmap(most, 4 * CHUNK);
    }

    @Test
    void aRecoveryKnowsNoMark() {
        budget.lift();
        shared.holdToMark(true);
        long all = shared.map(5 * CHUNK, false);
        budget.enforce();
        shared.unmap(all, 5 * CHUNK);
    }
}
