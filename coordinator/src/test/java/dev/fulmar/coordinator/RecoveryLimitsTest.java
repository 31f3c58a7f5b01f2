package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was committed comes back, whatever the limits are now. */
class RecoveryLimitsTest {
    private static final NodeId NODE = new NodeId(0);
    private static final long NO_CHECKPOINTS = 1L << 40;
    private static final long OFTEN = 2_000;
    private static final long MUCH = 1L << 30;
    private static final long ACCOUNTS = 300;

    private final SimulatedWorld world = new SimulatedWorld(1);
    private SimulatedProcess process = world.startProcess(NODE);

    private SteppedDatabase start(long checkpointLogBytes, long undoBytes, long memoryBytes) {
        List<CatalogChange> changes = BankSql.CHANGES.subList(0, 4);
        return new SteppedDatabase(
                DatabaseConfiguration.of(2, 2).withUndoBytes(undoBytes),
                new BankSql(changes),
                process.storage(),
                DurabilityMode.SYNC,
                checkpointLogBytes,
                memoryBytes);
    }

    /** Leaves commits by value over all partitions, and a command, in the log or in checkpoints. */
    private void lifeBefore(long checkpointLogBytes) {
        SteppedDatabase db = start(checkpointLogBytes, MUCH, MUCH);
        for (int change = 0; change < 4; change++) {
            assertThat(db.sql(BankSql.PREFIX + change)).isInstanceOf(Committed.class);
        }
        db.open(1000, LongStream.rangeClosed(1, ACCOUNTS).toArray());
        assertThat(db.call("Transfer", 1L, 1L, 5L)).isInstanceOf(Committed.class);
        process.crash();
        process = world.startProcess(NODE);
    }

    @ParameterizedTest
    @ValueSource(longs = {NO_CHECKPOINTS, OFTEN})
    void aNodeWithLessMemoryThanItsDataStartsAndSaysSo(long checkpointLogBytes) {
        lifeBefore(checkpointLogBytes);
        SteppedDatabase db = start(checkpointLogBytes, MUCH, 1);
        assertThat(db.total()).isEqualTo(1000 * ACCOUNTS);
        assertThat(db.progress).anyMatch(line -> line.contains("bytes of memory, but the limit is 1"));
    }

    @ParameterizedTest
    @ValueSource(longs = {NO_CHECKPOINTS, OFTEN})
    void aTransactionWithMoreUndoThanOneMayHaveNowIsReplayed(long checkpointLogBytes) {
        lifeBefore(checkpointLogBytes);
        SteppedDatabase db = start(checkpointLogBytes, 16, MUCH);
        assertThat(db.total()).isEqualTo(1000 * ACCOUNTS);
        assertThat(db.call("Transfer", 1L, 1L, 5L))
                .as("the limit counts again")
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.UNDO_LIMIT));
    }
}
