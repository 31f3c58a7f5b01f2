package dev.fulmar.reconfig.step;

import dev.fulmar.coordinator.reconfiguration.PartitionData;
import dev.fulmar.coordinator.reconfiguration.ReconfigurationReplay;
import dev.fulmar.engine.table.BucketCut;
import dev.fulmar.engine.table.BucketMoves;
import dev.fulmar.engine.table.BucketStaging;
import dev.fulmar.engine.table.BucketTransfer;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;

/** Executes steps again, as the primary executed them. Stateless. */
public final class MoveStepReplay implements ReconfigurationReplay {
    /** The reason for which readers of a copy begin anew at the primary when a bucket is cut. */
    private static final String BUCKET_IS_CUT = "the snapshot is too old: a bucket was cut in two; try again";

    private static final int PIECE_ROWS = 1_000;

    @Override
    public void replay(PartitionId partition, PartitionData data, byte[] step) {
        BucketTransfer buckets = data.buckets();
        BucketMoves moves = buckets.moves();
        switch (MoveStepFormat.read(step)) {
            case MoveStep.Cut cut -> {
                beforeCut(buckets, cut.newBucket());
                BucketCut begun = buckets.cut(cut.bucket(), cut.space(), cut.position(), cut.newBucket());
                finish(begun, data.timestamp());
            }
            case MoveStep.Separate separate -> {
                beforeCut(buckets, separate.newBucket());
                BucketCut begun = buckets.separate(
                        separate.bucket(), separate.ranges(), separate.newBucket(), separate.isInPlace());
                finish(begun, data.timestamp());
            }
            case MoveStep.Stage stage -> {
                if (moves.staging(stage.move()) != null) {
                    throw contradiction(partition, "stages a bucket that is staged");
                }
                dropStale(moves, stage.bucket());
                moves.stage(stage.move(), stage.bucket());
            }
            case MoveStep.Take take -> {
                BucketStaging staging = moves.staging(take.move());
                if (staging == null) {
                    throw contradiction(partition, "has rows of a bucket that is not staged");
                }
                moves.endImages();
                staging.take(take.rows());
            }
            case MoveStep.Remember remember -> data.requests().take(remember.outcomes());
            case MoveStep.Drop drop -> moves.drop(drop.move());
        }
    }

    private static void beforeCut(BucketTransfer buckets, int newBucket) {
        buckets.clearWay(BUCKET_IS_CUT);
        dropStale(buckets.moves(), newBucket);
    }

    private static void finish(BucketCut begun, long timestamp) {
        boolean few = false;
        while (!few) {
            few = begun.next(PIECE_ROWS);
        }
        begun.finish(timestamp);
    }

    /**
     * Drops what is staged under the number, for the primary has given it to another bucket. There a change of tables
     * that came to nothing has dropped it, which no record tells.
     */
    private static void dropStale(BucketMoves moves, int number) {
        for (BucketStaging staging : moves.stagings()) {
            if (staging.number() == number) {
                moves.drop(staging.move());
            }
        }
    }

    private static FulmarException contradiction(PartitionId partition, String what) {
        return new FulmarException(
                ErrorCode.CORRUPTION,
                "the log of partition " + partition + " " + what + "; restore the data from a copy or a backup");
    }
}
