package dev.fulmar.reconfig.move;

import dev.fulmar.coordinator.reconfiguration.PartitionData;
import dev.fulmar.engine.partitioning.MovePace;
import dev.fulmar.engine.spi.SliceHaste;
import dev.fulmar.engine.table.BucketCut;
import dev.fulmar.engine.table.BucketTransfer;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.reconfig.step.MoveStep;
import dev.fulmar.reconfig.step.MoveStepFormat;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Cuts a bucket in two in small pieces between transactions, and logs the cut. */
final class BucketDivision {
    /** Rows of all tables that are copied in one go, the same share of each: well below a millisecond. */
    private static final int PIECE_ROWS = 250;

    /** Between two pieces, so that the partition does other work most of the time. */
    private static final long PAUSE_NANOS = 1_000_000;

    private static final long RETRY_NANOS = 10_000_000;

    /** Retries after which rows that stay are copied too, so that the cut waits for no reader of earlier versions. */
    private static final int MOST_RETRIES = 100;

    private final MovePorts ports;
    private final PartitionId partition;
    private final BucketChoice.Separate choice;
    private final boolean isOptional;
    private final SiteShare share;
    private final Consumer<Optional<FulmarException>> ended;

    /** On the partition's thread. */
    private @Nullable BucketCut cut;

    private int retries;

    /** Whether also rows that stay are copied. */
    private volatile boolean copiesAll;

    private volatile SliceHaste haste = SliceHaste.BRISK;

    private @Nullable FulmarException wish;
    private boolean isBeingLogged;
    private boolean isOver;

    /**
     * @param isOptional whether it would move as a whole too, so that the cut takes no memory that others may need
     * @param ended told by a task, with the reason if the bucket is not cut
     */
    BucketDivision(
            MovePorts ports,
            MovePace pace,
            PartitionId partition,
            BucketChoice.Separate choice,
            boolean isOptional,
            Consumer<Optional<FulmarException>> ended) {
        this.ports = ports;
        this.partition = partition;
        this.choice = choice;
        this.isOptional = isOptional;
        share = new SiteShare(pace);
        this.ended = ended;
    }

    void begin() {
        piece();
    }

    /** Leaves the bucket as it is, unless the cut is being logged. */
    void giveUp(FulmarException why) {
        wish = why;
        watch();
    }

    /**
     * Ends the wait for a log without space; often. The cut that waits there becomes durable once there is space, and
     * before all that follows it.
     */
    void watch() {
        FulmarException refusal = isBeingLogged ? ports.log().refusal() : null;
        if (refusal != null) {
            end(Optional.of(refusal));
        }
    }

    private void piece() {
        FulmarException why = wish;
        if (why != null) {
            giveBack(why);
            return;
        }
        if (ports.pace().mayMove()) {
            ports.log().inspectInTurn(partition, haste, this::copy, ports.toldBy(this::failed));
        } else {
            ports.runLater(RETRY_NANOS, this::piece);
        }
    }

    private void copyAnew(PartitionData data) {
        discard();
        copy(data);
    }

    private void copy(PartitionData data) {
        try {
            long begunNanos = ports.clock().monotonicNanos();
            BucketCut begun = cut;
            if (begun == null) {
                begun = begin(data.buckets());
                cut = begun;
            }
            boolean few = isOptional ? data.buckets().nextToMark(begun, PIECE_ROWS) : begun.next(PIECE_ROWS);
            boolean isBehind = begun.isBehind();
            haste = isBehind ? SliceHaste.URGENT : SliceHaste.BRISK;
            long endNanos = ports.clock().monotonicNanos();
            if (begun.hasTooMany()) {
                discard();
                copiesAll = true;
                ports.runLater(PAUSE_NANOS, this::piece);
            } else if (few) {
                ports.run(this::finish);
            } else {
                ports.run(() -> rest(endNanos - begunNanos, endNanos, isBehind));
            }
        } catch (FulmarException failed) {
            discard();
            ports.run(() -> failed(failed));
        }
    }

    private void rest(long tookNanos, long endNanos, boolean isBehind) {
        share.took(tookNanos, endNanos, isBehind);
        long rest = share.leftNanos(ports.clock().monotonicNanos());
        ports.runLater(Math.max(PAUSE_NANOS, Math.max(rest, ports.pace().delayNanos())), this::piece);
    }

    private BucketCut begin(BucketTransfer buckets) {
        return copiesAll
                ? buckets.separate(
                        choice.bucket(), choice.ranges(), buckets.moves().freeNumber(), false)
                : buckets.separate(choice.bucket(), choice.ranges());
    }

    private void discard() {
        BucketCut begun = cut;
        if (begun != null) {
            begun.discard();
            cut = null;
        }
    }

    private void finish() {
        isBeingLogged = true;
        ports.log().write(partition, this::replace, ports.told(() -> end(Optional.empty()), this::notFinished));
    }

    private byte @Nullable [] replace(PartitionData data) {
        BucketCut begun = cut;
        if (begun == null) {
            throw Invariants.breach("a bucket's cut is finished after it began");
        }
        if (!begun.isOutdated() && !begun.mayFinish()) {
            return null;
        }
        begun.finish(data.timestamp());
        cut = null;
        return MoveStepFormat.write(
                new MoveStep.Separate(choice.bucket(), begun.ranges(), begun.newNumber(), begun.isInPlace()));
    }

    private void notFinished(FulmarException cause) {
        isBeingLogged = false;
        if (isOver) {
            giveBack(cause); // the wait has ended, and now the cut has too
        } else if (cause.code() != ErrorCode.SERVER_BUSY) {
            giveBack(cause);
        } else if (retries++ < MOST_RETRIES) {
            ports.runLater(RETRY_NANOS, this::tryAgain);
        } else if (!copiesAll) {
            retries = 0;
            copiesAll = true;
            ports.log().inspect(partition, this::copyAnew, ports.toldBy(this::failed));
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
        end(Optional.of(cause));
    }

    private void end(Optional<FulmarException> failure) {
        if (!isOver) {
            isOver = true;
            ended.accept(failure);
        }
    }
}
