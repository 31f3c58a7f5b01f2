package dev.fulmar.coordinator.health;

import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.ReplyBatch;
import dev.fulmar.engine.partition.SinglePartitionWork;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import org.jspecify.annotations.Nullable;

/**
 * A transaction without effect, which proves that its partition commits. Its reply leaves when everything written
 * before it is as durable as the database asks. On a partition with copies, these must also have confirmed a group that
 * was closed after it.
 */
final class PartitionProbe extends SinglePartitionWork {
    private final PartitionId partition;
    private final ProbeRound round;
    private @Nullable FulmarException failure;

    PartitionProbe(PartitionId partition, ProbeRound round) {
        this.partition = partition;
        this.round = round;
    }

    @Override
    protected boolean mayTakeLong() {
        return false;
    }

    /** Not a commit: that would be a record in the log. */
    @Override
    protected Verdict execute(Partition where) {
        return Verdict.DUPLICATE;
    }

    @Override
    protected void broke(Throwable cause) {
        failure = new FulmarException(ErrorCode.INTERNAL, "the partition broke", cause);
    }

    @Override
    protected void settled(Partition where, Verdict verdict, long commitTimestamp) {}

    @Override
    protected void revoked(Partition where) {}

    @Override
    public void turnedAway(Partition where) {
        round.answered(partition, ProbeRound.State.LED_ELSEWHERE, null);
    }

    @Override
    public void refused(PartitionId where) {
        lost(new FulmarException(ErrorCode.NODE_STOPPING, "the partition takes nothing any more"));
    }

    @Override
    public void leave(ReplyBatch replies) {
        if (failure == null) {
            round.answered(partition, ProbeRound.State.COMMITS, null);
        } else {
            lost(failure);
        }
    }

    @Override
    public void lost(FulmarException cause, ReplyBatch replies) {
        lost(cause);
    }

    private void lost(FulmarException cause) {
        round.answered(partition, ProbeRound.State.FAILED, cause);
    }
}
