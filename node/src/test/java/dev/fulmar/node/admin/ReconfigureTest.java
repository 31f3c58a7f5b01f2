package dev.fulmar.node.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.reconfig.plan.RangeMove;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Answers to operators whose change of a reconfiguration waits in a queue. */
class ReconfigureTest {
    /** With SERVER_BUSY the change would surely have no effect. */
    @Test
    void aChangeThatMayStillBeMadeIsNotCalledRefused() {
        assertThatThrownBy(() -> Reconfigure.await(new CompletableFuture<>(), 0))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TIMEOUT))
                .hasMessageContaining("look at its status");
    }

    @Test
    void rangesThatAreNotShownAreCounted() {
        List<RangeMove> left = LongStream.range(0, 10_002)
                .mapToObj(key -> new RangeMove(new KeyRange(KeySpace.INTEGER, 2 * key, 2 * key), 0, 1))
                .toList();
        assertThat(lastOf(Reconfigure.ranges(left))).isEqualTo("and 2 more");
        assertThat(lastOf(Reconfigure.ranges(left.subList(0, 10_000))))
                .isEqualTo(left.get(9_999).text());
    }

    private static String lastOf(byte[] block) {
        ResultBlock rows = new ResultBlock().wrap(block, 0, block.length);
        return String.valueOf(rows.at(rows.rowCount() - 1).string(0));
    }

    @Test
    void aRefusalIsPassedOn() {
        FulmarException refusal = new FulmarException(ErrorCode.SERVER_BUSY, "another one is under way");
        assertThatThrownBy(() -> Reconfigure.await(CompletableFuture.failedFuture(refusal), 1))
                .isSameAs(refusal);
    }
}
