package dev.fulmar.reconfig.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.reconfiguration.PartitionData;
import dev.fulmar.coordinator.reconfiguration.RequestOutcomes;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.row.RowChunk;
import dev.fulmar.engine.table.BucketMoves;
import dev.fulmar.engine.table.BucketStaging;
import dev.fulmar.engine.table.BucketTransfer;
import dev.fulmar.engine.table.ImageScan;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MoveStepReplayTest {
    private static final PartitionPlan PLAN = PartitionPlan.hash(1);

    private final PartitionStorage storage = new PartitionStorage(
            new ChunkSource(new MemoryBudget(64L << 20, "memory.limit")), PLAN.bucketsOf(0, 2), 8L << 20);
    private final BucketMoves moves = new BucketTransfer(storage).moves();
    private final List<byte[]> remembered = new ArrayList<>();

    @AfterEach
    void close() {
        storage.close();
    }

    private void replay(MoveStep step) {
        PartitionData data = new PartitionData(new BucketTransfer(storage), new Outcomes(), PLAN, 1_000);
        new MoveStepReplay().replay(new PartitionId(0), data, MoveStepFormat.write(step));
    }

    private List<Long> staged() {
        return moves.stagings().stream().map(BucketStaging::move).toList();
    }

    private final class Outcomes implements RequestOutcomes {
        @Override
        public long term() {
            return 0;
        }

        @Override
        public long commits() {
            return 0;
        }

        @Override
        public Batch since(Place place) {
            return new Batch(List.of(), place, true);
        }

        @Override
        public void take(byte[] bytes) {
            remembered.add(bytes);
        }
    }

    @Test
    void stepsLeaveTheBucketsThatThePrimaryHas() {
        replay(new MoveStep.Stage(1, 4));
        replay(new MoveStep.Stage(2, 7));
        replay(new MoveStep.Remember(new byte[] {3}));
        replay(new MoveStep.Drop(1));
        assertThat(staged()).containsExactly(2L);
        assertThat(moves.stagings().getFirst().number()).isEqualTo(7);
        assertThat(remembered).containsExactly(new byte[] {3});
        replay(new MoveStep.Cut(0, KeySpace.HASH, Long.MIN_VALUE + 5, 9));
        assertThat(storage.bucketBounds().buckets()).containsExactly(0, 1, 9);
    }

    /** It led until now, and built another copy, of which nobody wants the image any more. */
    @Test
    void aCopyTakesRowsThoughItHasAnImageUnderWay() {
        replay(new MoveStep.Stage(1, 4));
        VersionReader reader = storage.openReader(0, 0);
        reader.readAt(0);
        assertThat(new ImageScan(storage, reader)).isNotNull();
        assertThat(moves.isHeld()).isTrue();
        replay(new MoveStep.Take(1, new RowChunk(1_000).toByteArray()));
        assertThat(moves.stagings().getFirst().chunks()).isEqualTo(1);
        assertThat(moves.isHeld()).isFalse();
        assertThatThrownBy(reader::checkAlive)
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SNAPSHOT_TOO_OLD));
    }

    /** A change of tables that came to nothing has dropped the bucket at the primary, of which there is no record. */
    @Test
    void aNumberThatIsGivenAgainDropsTheBucketThatIsStagedUnderIt() {
        replay(new MoveStep.Stage(1, 4));
        replay(new MoveStep.Stage(2, 4));
        assertThat(staged()).containsExactly(2L);
        replay(new MoveStep.Drop(1));
        assertThat(staged()).containsExactly(2L);
        replay(new MoveStep.Cut(0, KeySpace.HASH, Long.MIN_VALUE + 5, 4));
        assertThat(staged()).isEmpty();
        assertThat(storage.bucketBounds().buckets()).containsExactly(0, 1, 4);
    }

    @Test
    void stepsThatContradictThoseBeforeAreRefused() {
        replay(new MoveStep.Stage(1, 4));
        assertThatThrownBy(() -> replay(new MoveStep.Stage(1, 5))).isInstanceOf(FulmarException.class);
        assertThatThrownBy(() -> replay(new MoveStep.Take(2, new byte[0]))).isInstanceOf(FulmarException.class);
    }
}
