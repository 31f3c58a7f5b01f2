package dev.fulmar.coordinator.remote;

import dev.fulmar.coordinator.transaction.FragmentSource;
import dev.fulmar.coordinator.transaction.StatementPlace;
import dev.fulmar.engine.execution.PartSize;
import dev.fulmar.engine.partition.CoordinatorMessage;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentFailure;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.PartitionMessage.PrepareMode;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Message between nodes about a transaction. */
sealed interface RemoteMessage {
    TransactionId transaction();

    /** Partition that it is for, or that says it. */
    PartitionId partition();

    int attempt();

    /** Report of a partition to the coordinator's node. */
    record Report(TransactionId transaction, CoordinatorMessage message) implements RemoteMessage {
        @Override
        public PartitionId partition() {
            return message.partition();
        }

        @Override
        public int attempt() {
            return message.attempt();
        }
    }

    /** Order of a coordinator to a partition. */
    sealed interface Order extends RemoteMessage {}

    /**
     * Fragments of one procedure or ad hoc statement.
     *
     * @param source null if there are no fragments
     */
    record Work(@Nullable FragmentSource source, List<Piece> pieces) {
        static final Work NONE = new Work(null, List.of());

        public Work {
            pieces = List.copyOf(pieces);
        }

        /** Whether results tell of the rows that their fragments changed. */
        boolean tellsImages() {
            return source != null && source.tellsImages();
        }
    }

    /** A fragment: which statement, which part of it, and with what. */
    @SuppressWarnings("ArrayRecordComponent") // one owner
    record Piece(int statement, StatementPlace place, int fragment, byte[] parameters) {}

    /** @param epoch of the partition, as the coordinator's node knows it */
    record Fragments(PartitionId partition, TransactionId transaction, int attempt, long epoch, Work work)
            implements Order {}

    record Undo(PartitionId partition, TransactionId transaction, int attempt, int firstStatement) implements Order {}

    /**
     * @param epoch in which the fragments were sent
     * @param read nothing that the transaction has read is above this timestamp
     */
    record Prepare(
            PartitionId partition,
            TransactionId transaction,
            int attempt,
            long epoch,
            PrepareMode mode,
            PartitionId base,
            long read)
            implements Order {}

    /** @param acknowledge whether to report when it is durable */
    record Decision(
            PartitionId partition,
            TransactionId transaction,
            int attempt,
            boolean commit,
            long commitTimestamp,
            boolean acknowledge)
            implements Order {}

    record VoteBack(PartitionId partition, TransactionId transaction, int attempt) implements Order {}

    /** A reader of a snapshot comes, with its first question. */
    record Arrive(
            PartitionId partition,
            TransactionId transaction,
            int attempt,
            int question,
            boolean strict,
            long timestamp,
            Work work)
            implements Order {}

    /**
     * @param part of the rows that is wanted; null for all of them
     * @param reading number of the reading in parts; without work the question ends it
     */
    record Read(
            PartitionId partition,
            TransactionId transaction,
            int attempt,
            int question,
            long timestamp,
            Work work,
            @Nullable PartSize part,
            int reading)
            implements Order {}

    record Release(PartitionId partition, TransactionId transaction, int attempt) implements Order {}

    record Leave(PartitionId partition, TransactionId transaction, int attempt) implements Order {}

    // What a visited partition says to a reader.

    /** @param isClear whether everything at or below the clock is decided, and waits for no other strict reader */
    record Passed(
            PartitionId partition, TransactionId transaction, int attempt, int question, long clock, boolean isClear)
            implements RemoteMessage {}

    record Found(
            PartitionId partition,
            TransactionId transaction,
            int attempt,
            int question,
            List<FragmentResult> results,
            @Nullable FragmentFailure failure)
            implements RemoteMessage {
        public Found {
            results = List.copyOf(results);
        }
    }

    record Released(PartitionId partition, TransactionId transaction, int attempt) implements RemoteMessage {}

    /** The partition cannot say that it has held back all replies that it had to. */
    record Broken(PartitionId partition, TransactionId transaction, int attempt) implements RemoteMessage {}

    // In doubt.

    /** Question about the outcome of the attempt, for the partition, to the primary of the base partition. */
    record Question(PartitionId partition, TransactionId transaction, int attempt, PartitionId base)
            implements RemoteMessage {}

    /** Verdict of the base partition's primary on an attempt. */
    enum Verdict {
        WAIT,
        ABORT,
        COMMIT
    }

    record Answer(PartitionId partition, TransactionId transaction, int attempt, Verdict verdict, long commitTimestamp)
            implements RemoteMessage {}
}
