package dev.fulmar.node.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.reconfig.move.RangeProgress;
import dev.fulmar.reconfig.peer.RangeReport;
import dev.fulmar.reconfig.peer.RangeState;
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
        List<RangeProgress> left = LongStream.range(0, 10_002)
                .mapToObj(key -> new RangeMove(new KeyRange(KeySpace.INTEGER, 2 * key, 2 * key), 0, 1))
                .map(range -> new RangeProgress(range, RangeState.WAITING, null))
                .toList();
        assertThat(lastOf(Reconfigure.ranges(left))).isEqualTo("and 2 more");
        assertThat(lastOf(Reconfigure.ranges(left.subList(0, 10_000))))
                .isEqualTo(left.get(9_999).range().text());
    }

    @Test
    void aRangeHasTheFiguresOfItsMove() {
        KeyRange range = new KeyRange(KeySpace.INTEGER, 3, 4);
        RangeReport report =
                RangeReport.begun(1, 7, 0, 1, List.of(range)).sent(500, 20).done(21, 3_000_000);
        byte[] block =
                Reconfigure.ranges(List.of(new RangeProgress(new RangeMove(range, 0, 1), RangeState.DONE, report)));
        ResultBlock row = new ResultBlock().wrap(block, 0, block.length).at(0);
        assertThat(row.string(0)).isEqualTo("[3-5)");
        assertThat(row.string(3)).isEqualTo("DONE");
        assertThat(List.of(row.getLong(1), row.getLong(2), row.getLong(4), row.getLong(5), row.getLong(6)))
                .containsExactly(0L, 1L, 21L, 500L, 3_000L);
        assertThat(row.string(7)).isEqualTo("0000000000000007");
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
