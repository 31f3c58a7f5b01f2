package dev.fulmar.reconfig.move;

import dev.fulmar.coordinator.reconfiguration.PartitionData;
import dev.fulmar.engine.table.BucketCut;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.reconfig.step.MoveStep;
import dev.fulmar.reconfig.step.MoveStepFormat;
import dev.fulmar.reconfig.step.MoveStepReplay;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Cuts a bucket in two in small pieces between transactions, and logs the cut. */
final class BucketDivision {
    /** Rows of all tables that are copied in one go, the same share of each: about half a millisecond. */
    private static final int PIECE_ROWS = 1_000;

    /** Between two pieces, so that the partition does other work most of the time. */
    private static final long PAUSE_NANOS = 1_000_000;

    private static final long RETRY_NANOS = 10_000_000;

    /** Retries after which readers of earlier versions begin anew. */
    private static final int MOST_RETRIES = 100;

    private final MovePorts ports;
    private final PartitionId partition;
    private final BucketChoice.Cut choice;
    private final Consumer<Optional<FulmarException>> ended;

    /** On the partition's thread. */
    private @Nullable BucketCut cut;

    private int retries;
    private @Nullable FulmarException wish;

    /** @param ended told by a task, with the reason if the bucket is not cut */
    BucketDivision(
            MovePorts ports,
            PartitionId partition,
            BucketChoice.Cut choice,
            Consumer<Optional<FulmarException>> ended) {
        this.ports = ports;
        this.partition = partition;
        this.choice = choice;
        this.ended = ended;
    }

    void begin() {
        piece();
    }

    /** Leaves the bucket as it is, unless the cut is being logged. */
    void giveUp(FulmarException why) {
        wish = why;
    }

    private void piece() {
        FulmarException why = wish;
        if (why != null) {
            giveBack(why);
            return;
        }
        ports.log().inspect(partition, this::copy, ports.toldBy(this::failed));
    }

    private void copy(PartitionData data) {
        try {
            BucketCut begun = cut;
            if (begun == null) {
                begun = data.buckets().cut(choice.bucket(), choice.space(), choice.position());
                cut = begun;
            }
            boolean few = begun.next(PIECE_ROWS);
            if (few) {
                ports.run(this::finish);
            } else {
                ports.runLater(PAUSE_NANOS, this::piece);
            }
        } catch (FulmarException failed) {
            discard();
            ports.run(() -> failed(failed));
        }
    }

    private void discard() {
        BucketCut begun = cut;
        if (begun != null) {
            begun.discard();
            cut = null;
        }
    }

    private void finish() {
        ports.log()
                .write(partition, this::replace, ports.told(() -> ended.accept(Optional.empty()), this::notFinished));
    }

    private byte @Nullable [] replace(PartitionData data) {
        BucketCut begun = cut;
        if (begun == null) {
            throw Invariants.breach("a bucket's cut is finished after it began");
        }
        if (retries >= MOST_RETRIES && !begun.isOutdated()) {
            data.buckets().clearWay(MoveStepReplay.BUCKET_IS_CUT);
        }
        if (!begun.isOutdated() && !begun.mayFinish()) {
            return null;
        }
        int number = begun.finish();
        cut = null;
        return MoveStepFormat.write(new MoveStep.Cut(choice.bucket(), choice.space(), choice.position(), number));
    }

    private void notFinished(FulmarException cause) {
        if (cause.code() == ErrorCode.SERVER_BUSY && retries < MOST_RETRIES) {
            retries++;
            ports.runLater(RETRY_NANOS, this::tryAgain);
        } else {
            giveBack(cause);
        }
    }

    private void tryAgain() {
        FulmarException why = wish;
        if (why != null) {
            giveBack(why);
        } else {
            finish();
        }
    }

    private void giveBack(FulmarException cause) {
        ports.log().inspect(partition, data -> discard(), stopped -> {});
        failed(cause);
    }

    private void failed(FulmarException cause) {
        ended.accept(Optional.of(cause));
    }
}
