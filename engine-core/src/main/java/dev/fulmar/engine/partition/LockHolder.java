package dev.fulmar.engine.partition;

import dev.fulmar.engine.partition.CoordinatorMessage.FragmentFailure;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentReply;
import dev.fulmar.engine.spi.AbsentData;
import dev.fulmar.engine.spi.MovedData;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.FatalErrors;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The multi-partition transaction that holds a partition's lock, as the partition knows it. */
final class LockHolder {
    private static final int INITIAL_STATEMENTS = 8;

    final TransactionId transaction;
    final int attempt;
    final CoordinatorPort coordinator;

    /** Undo position at which its changes begin. */
    final long begin;

    /** Undo position at which its changes end; valid once it voted. */
    long end;

    boolean voted;

    /** The earliest timestamp that it may commit with; valid once it voted. */
    long proposal;

    /** The log position that the vote waits for; valid once it voted. */
    long votePosition;

    /** The number of its votes: one, and one more whenever the vote was given back. */
    int votes;

    /** The newest vote has left the partition. */
    boolean voteLeft;

    /** Whether queued transactions may run speculatively behind it; valid once it voted. */
    boolean speculates;

    /**
     * No snapshot reads what it changed; valid once it voted. Its vote waits for no reader: a reader may wait for its
     * decision elsewhere, where its vote cannot be given back any more because the decision is another node's.
     */
    boolean tellsReadersNothing;

    /** The partition that will have its decision, or null; valid once it voted. */
    @Nullable PartitionId base;

    /** Its coordinator has been asked to give the vote back, and has not answered. */
    boolean recalled;

    /** Its part is in the log, or would be if there was one, so the decision must be there too. */
    boolean recorded;

    /** How often it has waited for data, or begins to: an odd end of an earlier wait resumes nothing. */
    int waits;

    private boolean actsAtCommit;

    private final List<FragmentWork> done = new ArrayList<>();
    private int[] statements = new int[INITIAL_STATEMENTS];
    private long[] positions = new long[INITIAL_STATEMENTS];
    private int statementCount;

    LockHolder(TransactionId transaction, int attempt, CoordinatorPort coordinator, long begin) {
        this.transaction = transaction;
        this.attempt = attempt;
        this.coordinator = coordinator;
        this.begin = begin;
        this.end = begin;
    }

    /** Holds for a transaction that voted in an earlier life, or on another copy of the partition. */
    static LockHolder prepared(
            TransactionId transaction,
            int attempt,
            CoordinatorPort coordinator,
            long position,
            long proposal,
            PartitionId base,
            FragmentWork part) {
        LockHolder holder = new LockHolder(transaction, attempt, coordinator, position);
        holder.voted = true;
        holder.voteLeft = true;
        holder.recorded = true;
        holder.proposal = proposal;
        holder.base = base;
        holder.done.add(part);
        return holder;
    }

    boolean is(TransactionId otherTransaction, int otherAttempt) {
        return attempt == otherAttempt && transaction.equals(otherTransaction);
    }

    /**
     * Whether its coordinator may wait for its vote: the first, or another one, for it may have given the one that it
     * had back.
     */
    boolean owesVote() {
        return !voted || recalled;
    }

    /**
     * Whether its reads here must outlast this copy of the partition until its decision is known, though it has changed
     * nothing here. A later write here must commit later, with whatever clock the next primary has. Else a snapshot
     * between the two would show the later one alone. The base partition's own log has the decision.
     */
    boolean readsForAnother(PartitionId partition) {
        return speculates && base != null && !base.equals(partition);
    }

    /**
     * Runs the batch up to its first failure, which undoes the statement that it belongs to here.
     *
     * @throws AbsentData if it needs data that is not here; the batch is undone then
     */
    FragmentReply run(List<FragmentWork> batch, Partition partition, CommandLog log) {
        Invariants.check(!voted, "a participant runs no statement after its vote");
        List<FragmentResult> results = new ArrayList<>(batch.size());
        for (FragmentWork work : batch) {
            beginStatement(work.statement(), partition.undo().position());
            FragmentFailure failure;
            try {
                failure = run(work, partition, log, results);
            } catch (AbsentData absent) {
                undoFrom(batch.getFirst().statement(), partition);
                throw absent;
            }
            if (failure != null) {
                undoFrom(work.statement(), partition);
                return reply(results, failure, partition);
            }
            done.add(work);
            actsAtCommit |= work.actsAtCommit();
        }
        return reply(results, null, partition);
    }

    private FragmentReply reply(List<FragmentResult> results, @Nullable FragmentFailure failure, Partition partition) {
        long clock = partition.timestamps().last();
        boolean held = partition.readers().holdsBack();
        return new FragmentReply(partition.id(), attempt, results, hasChanged(partition), failure, clock, held);
    }

    /** Whether it has changed anything that is not undone, or will at its commit. */
    boolean hasChanged(Partition partition) {
        return actsAtCommit || partition.undo().position() != begin;
    }

    private static @Nullable FragmentFailure run(
            FragmentWork work, Partition partition, CommandLog log, List<FragmentResult> results) {
        try {
            long position = partition.undo().position();
            FragmentResult result = work.run(partition);
            FulmarException refusal = partition.undo().position() == position ? null : log.refusal();
            if (refusal != null) {
                throw refusal;
            }
            results.add(result);
            return null;
        } catch (AbsentData absent) {
            throw absent;
        } catch (MovedData moved) {
            return new FragmentFailure(
                    work.statement(), ErrorCode.TRANSACTION_RESTART, String.valueOf(moved.getMessage()));
        } catch (FulmarException failed) {
            return new FragmentFailure(work.statement(), failed.code(), String.valueOf(failed.getMessage()));
        } catch (Throwable defect) { // whatever it is, the transaction must learn of it and leave no trace
            FatalErrors.handIfClassIsGone(defect);
            return new FragmentFailure(work.statement(), ErrorCode.INTERNAL, "a fragment failed: " + defect);
        }
    }

    /** Notes where the statement's changes begin, unless an earlier fragment of it ran. */
    private void beginStatement(int statement, long position) {
        int latest = statementCount == 0 ? -1 : statements[statementCount - 1];
        if (statement == latest) {
            return;
        }
        Invariants.check(statement > latest, "statements of a transaction arrive in order");
        if (Invariants.EXPENSIVE) {
            Invariants.check(
                    position >= (statementCount == 0 ? begin : positions[statementCount - 1]),
                    "a participant's statement changes nothing before the changes of earlier statements");
        }
        if (statementCount == statements.length) {
            statements = Arrays.copyOf(statements, 2 * statementCount);
            positions = Arrays.copyOf(positions, 2 * statementCount);
        }
        statements[statementCount] = statement;
        positions[statementCount] = position;
        statementCount++;
    }

    /** Undoes the statements from the given one on. */
    void undoFrom(int firstStatement, Partition partition) {
        int kept = statementCount;
        while (kept > 0 && statements[kept - 1] >= firstStatement) {
            kept--;
        }
        if (kept == statementCount) {
            return;
        }
        partition.undo().undoTo(positions[kept]);
        statementCount = kept;
        while (!done.isEmpty() && done.getLast().statement() >= firstStatement) {
            done.removeLast().undone(partition);
        }
    }

    /** Undoes everything. */
    void undoAll(Partition partition) {
        partition.undo().undoTo(begin);
        Invariants.check(
                partition.undo().position() == begin, "a partition undoes a lock holder back to where it began");
        statementCount = 0;
        while (!done.isEmpty()) {
            done.removeLast().undone(partition);
        }
    }

    void committed(Partition partition, long commitTimestamp) {
        for (FragmentWork work : done) {
            work.committed(partition, commitTimestamp);
        }
    }
}
