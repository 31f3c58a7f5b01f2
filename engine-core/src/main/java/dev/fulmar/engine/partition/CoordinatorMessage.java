package dev.fulmar.engine.partition;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.PartitionId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message of a partition to the coordinator of a multi-partition transaction. */
public sealed interface CoordinatorMessage {
    /** The partition that sends it. */
    PartitionId partition();

    /** The attempt that it is about; the coordinator ignores what belongs to an earlier one. */
    int attempt();

    /**
     * The batch is done, and the partition is locked for the transaction.
     *
     * @param results of the work up to the failure, in its order
     * @param changed whether the transaction has changed anything here, in this batch or before
     * @param failure why the rest was not done, or null
     * @param clock timestamp that nothing which was read here is above
     * @param held whether nobody may hear yet of what may have been read here, for a strict reader that does not see it
     */
    record FragmentReply(
            PartitionId partition,
            int attempt,
            List<FragmentResult> results,
            boolean changed,
            @Nullable FragmentFailure failure,
            long clock,
            boolean held)
            implements CoordinatorMessage {
        public FragmentReply {
            results = List.copyOf(results);
        }

        /** Of a partition that has done nothing. */
        public FragmentReply(PartitionId partition, int attempt, FragmentFailure failure) {
            this(partition, attempt, List.of(), false, failure, 0, false);
        }
    }

    /** The statement that failed, and why. */
    record FragmentFailure(int statement, ErrorCode code, String message) {}

    /** The partition's changes are undone and its lock given to an older transaction. */
    record Wounded(PartitionId partition, int attempt) implements CoordinatorMessage {}

    /**
     * The vote.
     *
     * @param commit whether the partition can commit; from now on it waits for the decision
     * @param timestamp the earliest commit timestamp possible here, or the commit timestamp where the partition commits
     *     by itself
     * @param recorded the partition has written its part down, so the decision must become durable before anybody hears
     *     of it
     */
    record Vote(PartitionId partition, int attempt, boolean commit, long timestamp, boolean recorded)
            implements CoordinatorMessage {}

    /** The partition undid the transaction instead of voting, and would again: the transaction fails for the reason. */
    record Refused(PartitionId partition, int attempt, ErrorCode code, String message) implements CoordinatorMessage {}

    /**
     * The partition wants its vote back, for a strict reader has come. If the transaction is not decided yet, its
     * coordinator answers by {@link SnapshotReaders#voteGivenBack} and waits for the vote again.
     */
    record VoteRecalled(PartitionId partition, int attempt) implements CoordinatorMessage {}

    /** The decision to commit is durable at the partition. Said when it was asked for. */
    record Decided(PartitionId partition, int attempt) implements CoordinatorMessage {}

    /**
     * The way to the partition is broken: what was sent to it may have arrived or not, and nothing more comes from it.
     * With {@link ErrorCode#OUTCOME_UNKNOWN} it has committed, or written the decision, and another node leads it now,
     * which may have that or not.
     */
    record Lost(PartitionId partition, int attempt, ErrorCode code, String message) implements CoordinatorMessage {}

    /**
     * The partition has voted and does not hear from the coordinator any more. For whoever asks on its behalf.
     *
     * @param base partition to be asked, or null if the transaction has none
     */
    record InDoubt(
            PartitionId partition, int attempt, @Nullable PartitionId base) implements CoordinatorMessage {}
}
