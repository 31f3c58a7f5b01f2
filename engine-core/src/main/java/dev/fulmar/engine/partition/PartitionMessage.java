package dev.fulmar.engine.partition;

import dev.fulmar.engine.partition.CoordinatorMessage.FragmentFailure;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentReply;
import dev.fulmar.engine.partition.CoordinatorMessage.Vote;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request to a partition. New kinds of work come in through {@link PartitionTask}. */
public sealed interface PartitionMessage
        permits SinglePartitionWork,
                PartitionMessage.FragmentBatch,
                PartitionMessage.UndoStatements,
                PartitionMessage.Prepare,
                PartitionMessage.Decision,
                PartitionMessage.BaseDecision,
                PartitionMessage.Abandon,
                PartitionTask {

    /** The partition will never handle the message: it has stopped. */
    default void refused(PartitionId partition) {}

    /**
     * Work of a multi-partition transaction; asks for the partition's lock first if the transaction does not hold it.
     * An empty batch only locks. Answered by {@link CoordinatorMessage.FragmentReply}, or by
     * {@link CoordinatorMessage.Wounded}.
     *
     * @param attempt counts the transaction's restarts
     * @param coordinator takes the answers
     */
    record FragmentBatch(TransactionId transaction, int attempt, CoordinatorPort coordinator, List<FragmentWork> work)
            implements PartitionMessage {
        public FragmentBatch {
            work = List.copyOf(work);
        }

        @Override
        public void refused(PartitionId partition) {
            refused(
                    partition,
                    ErrorCode.NODE_STOPPING,
                    "partition " + partition + " stops; try again on the restarted node");
        }

        /** Another node leads the partition. */
        void turnedAway(PartitionId partition) {
            refused(
                    partition,
                    ErrorCode.NOT_CONNECTED,
                    "partition " + partition + " is led by another node now; send the request again");
        }

        private void refused(PartitionId partition, ErrorCode code, String message) {
            FragmentFailure failure =
                    new FragmentFailure(work.isEmpty() ? 0 : work.getFirst().statement(), code, message);
            coordinator.deliver(new FragmentReply(partition, attempt, failure));
        }
    }

    /** Undoes the statements of the lock holder from the given one on, because one of them failed somewhere. */
    record UndoStatements(TransactionId transaction, int attempt, int firstStatement) implements PartitionMessage {}

    /**
     * Asks the lock holder's partition for its vote; all work of the transaction is done everywhere.
     *
     * @param mode what follows the vote
     * @param outcome what to write down of the transaction's request if the partition commits with its vote, or null
     * @param base partition whose log has the decision before anybody hears of it; null where any participant's may
     *     have it
     * @param read timestamp that nothing which the transaction has read anywhere is above; counts where it has changed
     *     nothing
     */
    record Prepare(
            TransactionId transaction,
            int attempt,
            CoordinatorPort coordinator,
            PrepareMode mode,
            @Nullable RequestOutcome outcome,
            @Nullable PartitionId base,
            long read)
            implements PartitionMessage {
        @Override
        public void refused(PartitionId partition) {
            coordinator.deliver(new Vote(partition, attempt, false, 0, false));
        }
    }

    /** The behaviour of a partition after its vote. */
    enum PrepareMode {
        /** Runs queued transactions speculatively. */
        SPECULATE,
        /**
         * Waits: the transaction changes what other transactions rely on to start at all, and nothing that a snapshot
         * shows.
         */
        WAIT,
        /** Commits at once: it is the only participant. */
        COMMIT,
        /**
         * Gives the lock back at once and hears of no decision: the transaction has changed nothing anywhere. All its
         * locks were held when this was sent, so what it read is of one moment, and nothing of it waits for a strict
         * reader. What is written where it has read commits above all that it has read anywhere: else a snapshot could
         * show the former without the latter.
         */
        RELEASE,
        /**
         * Undoes everything and gives the lock back, for the transaction has failed; the vote says that its reason may
         * be told.
         */
        UNDO
    }

    /**
     * The outcome of a multi-partition transaction.
     *
     * @param commitTimestamp of the commit; ignored for an abort
     * @param acknowledge who is told when the decision is durable here, or null; a decision that comes again is
     *     acknowledged again
     * @param outcome what to write down of the transaction's request together with the decision, or null
     */
    record Decision(
            TransactionId transaction,
            int attempt,
            boolean commit,
            long commitTimestamp,
            @Nullable CoordinatorPort acknowledge,
            @Nullable RequestOutcome outcome)
            implements PartitionMessage {
        /** Undoes the attempt. */
        public static Decision abort(TransactionId transaction, int attempt) {
            return new Decision(transaction, attempt, false, 0, null, null);
        }
    }

    /**
     * The decision to commit, to be made durable in the base partition before any other party is notified. Answered by
     * {@link CoordinatorMessage.Decided}, or by {@link CoordinatorMessage.Lost} if it has not been written. If the base
     * partition is a participant it commits.
     *
     * @param epoch term of the base partition's leadership in which the transaction began; in a later one those who ask
     *     have been told that it is undone
     * @param participants who may ask for the decision
     */
    record BaseDecision(
            TransactionId transaction,
            int attempt,
            CoordinatorPort coordinator,
            long epoch,
            long commitTimestamp,
            @Nullable RequestOutcome outcome,
            List<PartitionId> participants)
            implements PartitionMessage {
        public BaseDecision {
            participants = List.copyOf(participants);
        }

        @Override
        public void refused(PartitionId partition) {
            coordinator.deliver(new CoordinatorMessage.Lost(
                    partition,
                    attempt,
                    ErrorCode.NODE_STOPPING,
                    "partition " + partition + " stops; try again on the restarted node"));
        }

        /** Another node leads the partition, or this one again; nothing was written. */
        public void turnedAway(PartitionId partition) {
            coordinator.deliver(new CoordinatorMessage.Lost(
                    partition,
                    attempt,
                    ErrorCode.NOT_CONNECTED,
                    "partition " + partition + " is led by another node now; send the request again"));
        }
    }

    /**
     * The way to the transaction's coordinator is broken: what has not voted is undone, what has voted is told to be in
     * doubt by {@link CoordinatorMessage.InDoubt}.
     */
    record Abandon(TransactionId transaction, int attempt) implements PartitionMessage {}
}
