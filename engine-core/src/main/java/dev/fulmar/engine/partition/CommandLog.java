package dev.fulmar.engine.partition;

import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The command log of a partition: a record of its commits, from which it can be rebuilt. Called on the partition's
 * thread, in commit order, and always before the undo of the changes is released. {@code begin} is the undo position at
 * which a transaction's changes begin; they are the newest ones.
 */
public interface CommandLog {
    /** A single-partition transaction commits; returns the log position up to which its reply must wait. */
    long committed(Partition partition, SinglePartitionWork work, long begin, long commitTimestamp);

    /** A transaction was executed speculatively; what it changed is noted now, before others change the same rows. */
    void speculated(Partition partition, SinglePartitionWork work, long begin);

    /**
     * A speculated transaction commits with the changes noted before; returns the log position up to which its reply
     * must wait.
     */
    long confirmed(Partition partition, SinglePartitionWork work, long commitTimestamp);

    /** The only participant of a transaction commits; returns the log position up to which its vote must wait. */
    long committedAlone(Partition partition, @Nullable RequestOutcome outcome, long begin, long commitTimestamp);

    /**
     * The lock holder can commit; returns the log position up to which the vote must wait. It has changed something, or
     * has read something that others change only after the decision.
     *
     * @param base partition whose log has the decision before anybody hears of it, to be asked in doubt; null where any
     *     participant's may have it
     */
    long prepared(
            Partition partition,
            TransactionId transaction,
            int attempt,
            long begin,
            long proposedTimestamp,
            @Nullable PartitionId base);

    /**
     * The outcome of a prepared transaction whose part is in the log, or whose base partition this is; returns the log
     * position of the record.
     *
     * @param outcome what to remember of the transaction's request, if this partition is to write it down
     * @param participants who may ask for the decision, if this is the base partition; else empty
     */
    long decided(
            Partition partition,
            TransactionId transaction,
            int attempt,
            boolean commit,
            long commitTimestamp,
            @Nullable RequestOutcome outcome,
            List<PartitionId> participants);

    /**
     * A step of a reconfiguration was taken between two transactions, which a replay takes again at the record. It must
     * be durable in every mode, and replies wait for it as for a commit.
     */
    default void reconfigured(Partition partition, byte[] step, long timestamp) {}

    /**
     * A reader is about to be told that all later commits of the partition are above the timestamp. Any later primary
     * of the partition, here or elsewhere, has to keep that promise. So the copies that may become primary have written
     * it down before anything leaves that waits for {@link #position}.
     */
    default void promised(Partition partition, long timestamp) {}

    /** Position of the last record: what a reply without a record of its own waits for. */
    long position(Partition partition);

    /**
     * The partition's turn is over: what was told so far is to become durable now, all at once; one that does not
     * gather does nothing.
     */
    default void turnEnded(Partition partition) {}

    /** Whether the log keeps records at all, so that a decision has to become durable before any party is notified. */
    boolean keepsRecords();

    /**
     * So much waits to be written that the partition takes nothing on until some of it has been; so for ever after a
     * failure. With a {@link #refusal} that may end the partition does go on, for what changes data is told so.
     */
    boolean isCrowded(Partition partition);

    /** Why nothing that changes data can be taken now, for example a full device; null while there is no reason. */
    @Nullable FulmarException refusal();

    /**
     * Why work that can be put off should not be taken now; null while there is no reason. If the log gets no more
     * space, there will be a {@link #refusal} soon.
     */
    default @Nullable FulmarException scarcity() {
        return refusal();
    }

    /** Keeps nothing: a restart begins with an empty database. */
    static CommandLog none() {
        return new NoLog();
    }
}
